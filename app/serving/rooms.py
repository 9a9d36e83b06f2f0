"""Rooms of a class: a teacher shows, students follow, are asked, and say a sentence. All of it in memory alone.

A room holds no name. Everything happens in the server's event loop, so nothing needs a lock; whoever listens is woken
and reads the room as it is then, so a slow reader misses steps and never the last one.
"""

import asyncio
import secrets
import time
from collections import Counter
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from typing import Any

from cachetools import TTLCache

from attnviz.core.errors import AttnvizError, LimitError

LETTERS = "BCDFGHJKLMNPQRSTVWXZ"  # a code is read aloud and typed: no vowels, so no words, and no 0 or O
LENGTH = 5
ROOMS, STUDENTS, SENTENCES, EACH = 50, 250, 100, 5  # most at a time; sentences of a room, and of one student
TABS = 4  # connections of one student
ANSWERS_SHOWN = 5  # fewer would say who answered what
CHOSEN = 64  # answers that are told apart: as many as a question has choices
ALONE_SECONDS = 2 * 3600.0  # how long a room waits for its teacher
ITEMS, CHOICES = 8, 4  # of the short test before and after the lessons; the last choice is "I do not know"
GUESSES, OPENED, SECONDS = 40, 15, 60.0  # wrong codes, and rooms, that an address may try in a minute; a school has one
ADDRESSES = 4096  # remembered at a time


class NoRoom(AttnvizError):
    """There is no room of that code, or not for this secret."""


class TooMany(LimitError):
    """More rooms, students or tries than this server takes."""


@dataclass
class Question:
    """What the class is asked, by language. Without options the answer is a cell, "row,column" counted from 1."""

    words: Mapping[str, Mapping[str, Any]]  # each has a text and its options, as many in each language
    right: str = ""  # an option's place from 0, or a cell; "" where nothing is right
    of: str = ""  # the lesson and the step that it belongs to, as a link says them; "" for the teacher's own
    is_revealed: bool = False

    def is_over_at(self, step: str) -> bool:
        """Whether it goes where a class comes to this step.

        A lesson's goes at any but its own, which a class may come to after it was asked; of the teacher's own one that
        was revealed.
        """
        return (self.is_revealed or bool(self.of)) and step != self.of

    def takes(self, answer: str) -> bool:
        """Whether this can be answered now."""
        if self.is_revealed:
            return False
        n = len(next(iter(self.words.values()))["options"])
        is_number = answer.isascii() and answer.replace(",", "", 1).isdigit()
        return is_number and (int(answer) < n if "," not in answer else not n)


@dataclass
class Tally:
    """How often each answer was given to each item of the short test. Which of them one student gave is not kept."""

    n: int = 0  # students
    counts: list[list[int]] = field(default_factory=lambda: [[0] * CHOICES for _ in range(ITEMS)])
    # How many of a student's answers are right is a score: of each item the sum over those who had it right, then the
    # sums of all scores and of their squares. Discrimination follows from these, and no single score does.
    scores: list[int] = field(default_factory=lambda: [0] * (ITEMS + 2))
    is_shown: bool = False  # and closed: the next answer would say who gave it


@dataclass
class Student:
    """One browser's tab. Its ticket is known to it alone."""

    follows: bool = True
    answer: str = ""
    said: int = 0  # sentences
    tests: set[str] = field(default_factory=set)  # taken, as "before A"
    tabs: int = 0  # connections that are open


@dataclass
class Room:
    code: str
    secret: str = field(default_factory=lambda: secrets.token_urlsafe(24))
    page: str = ""  # what the teacher shows: a page of ours and its link
    query: str = ""
    by: str = ""  # which of the teacher's machines shows it
    read: Hashable = None  # what of it was read
    turn: int = 0  # how often something was to be shown
    question: Question | None = None
    sentences: dict[int, str] = field(default_factory=dict)  # by their numbers; the teacher's alone
    said: int = 0  # sentences, with those that were deleted
    takes_sentences: bool = True
    tallies: dict[str, Tally] = field(default_factory=dict)  # by when the test is taken, and its form: "before A"
    students: dict[str, Student] = field(default_factory=dict)
    rehearsed: str = ""  # what the teacher answers, while nobody has come in
    heard: float = field(default_factory=time.monotonic)  # when the teacher was last there
    is_closed: bool = False
    listeners: set[asyncio.Event] = field(default_factory=set)
    desks: set[asyncio.Event] = field(default_factory=set)  # the teacher's connections

    def changed(self, *, for_all: bool = True) -> None:
        """Wake who listens: all, or the teacher alone."""
        for listener in (*self.desks, *(self.listeners if for_all else ())):
            listener.set()

    def join(self, ticket: str) -> str:
        """Come in, or back after a lost connection; returns the ticket.

        Raises:
            TooMany: the room is full, or open in too many tabs.
        """
        if ticket in self.students and self.students[ticket].tabs >= TABS:
            raise TooMany(id="room-tabs", n=TABS)
        if ticket not in self.students:
            gone = next((ticket for ticket, one in self.students.items() if not one.tabs and not one.answer), None)
            if len(self.students) >= STUDENTS:
                if gone is None:
                    raise TooMany(id="room-full", n=STUDENTS)
                del self.students[gone]
            ticket = secrets.token_urlsafe(12)  # never one of the browser's own: each would be a vote
            self.students[ticket] = Student()
            self.rehearsed = ""
        return ticket

    @property
    def is_rehearsal(self) -> bool:
        """Whether nobody has come in yet: then the teacher may answer, and sees what a class would."""
        return not self.students

    @property
    def answers(self) -> list[str]:
        given = [self.rehearsed] if self.is_rehearsal else [one.answer for one in self.students.values()]
        return [answer for answer in given if answer]

    def say(self, student: Student, sentence: str) -> None:
        """Add a sentence, without its author.

        Raises:
            TooMany: none are taken, or this student or the class said enough.
        """
        if not self.takes_sentences or student.said >= EACH or len(self.sentences) >= SENTENCES:
            raise TooMany(id="room-said")
        student.said += 1
        self.said += 1
        self.sentences[self.said] = sentence

    def count(self, student: Student, name: str, answers: str, right: str) -> None:
        """Count what a student answered in the short test, once; `answers` and `right` have a digit for each item."""
        tally = self.tallies.setdefault(name, Tally())
        if name in student.tests or tally.is_shown:
            return
        student.tests.add(name)
        tally.n += 1
        for counts, answer in zip(tally.counts, answers, strict=True):
            counts[int(answer)] += 1
        is_right = [answer == wanted for answer, wanted in zip(answers, right, strict=True)]
        score = sum(is_right)
        added = (*(score * one for one in is_right), score, score**2)
        tally.scores = [before + more for before, more in zip(tally.scores, added, strict=True)]

    def show_totals(self, name: str) -> None:
        """Show the totals of the short test, unless so few took it that they would say who answered what."""
        tally = self.tallies.get(name, Tally())
        tally.is_shown |= tally.n >= ANSWERS_SHOWN

    def seen_by_all(self) -> dict[str, Any]:
        """What every student may know."""
        asked = self.question
        return {
            "page": self.page, "query": self.query, "sentences": self.takes_sentences,
            "question": None if asked is None else self._told(asked), "closed": self.is_closed,
            "counted": [name for name, tally in self.tallies.items() if tally.is_shown],
        }  # fmt: skip

    def seen_by_teacher(self) -> dict[str, Any]:
        """The same with how many there are, and what was said."""
        tests = {
            name: {
                "n": tally.n,
                "counts": tally.counts if tally.is_shown else [],
                "scores": tally.scores if tally.is_shown else [],
            }
            for name, tally in self.tallies.items()
        }
        here = [one for one in self.students.values() if one.tabs]
        return {
            **self.seen_by_all(), "here": len(here), "follow": sum(one.follows for one in here),
            "answered": len(self.answers), "said": list(self.sentences.items()), "rehearsal": self.is_rehearsal,
            "rehearsed": self.rehearsed,
            "tests": tests, "by": self.by,
        }  # fmt: skip

    def _told(self, asked: Question) -> dict[str, Any]:
        hidden = () if asked.is_revealed else ("why",)
        words = {
            lang: {name: words for name, words in said.items() if name not in hidden}
            for lang, said in asked.words.items()
        }
        told: dict[str, Any] = {"words": words, "revealed": asked.is_revealed}
        if asked.is_revealed:
            n, are_shown = len(self.answers), self.is_rehearsal or len(self.answers) >= ANSWERS_SHOWN
            counts = Counter(self.answers).most_common(CHOSEN) if are_shown else []
            told |= {"right": asked.right, "n": n, "counts": counts}
        return told


class Rooms:
    """All rooms of this server, and who tried too often to find one."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.clock = clock
        self.rooms: dict[str, Room] = {}
        self.is_stopping = False  # with the server
        self._tries: TTLCache[tuple[str, str], int] = TTLCache(ADDRESSES, SECONDS, timer=clock)

    def open(self, address: str) -> Room:
        """A new room.

        Raises:
            TooMany: there are too many, or this address opened several just now.
        """
        self.sweep()
        self._count("open", address, OPENED)
        if len(self.rooms) >= ROOMS:
            raise TooMany(id="rooms-full", n=ROOMS)
        code = ""
        while not code or code in self.rooms:
            code = "".join(secrets.choice(LETTERS) for _ in range(LENGTH))
        self.rooms[code] = room = Room(code, heard=self.clock())
        return room

    def find(self, code: str, address: str, ticket: str = "") -> Room:
        """The room of a code. Who is in it already is never taken for somebody who guesses.

        Raises:
            NoRoom: there is none. TooMany: this address tried too many codes.
        """
        room = self.rooms.get(code.upper())
        if room is not None and ticket in room.students:
            return room
        if room is None:
            self._count("find", address, GUESSES)
            raise NoRoom(id="class-no-room")
        if self._tries.get(("find", address), 0) >= GUESSES:
            raise _too_often()
        return room

    def taught(self, code: str, secret: str, address: str) -> Room:
        """The room of a teacher.

        Raises:
            NoRoom: there is none, or the secret is another one. TooMany: see find.
        """
        room = self.rooms.get(code.upper())
        if room is None:
            self._count("find", address, GUESSES)
            raise NoRoom(id="room-gone")
        if not secrets.compare_digest(room.secret.encode(), secret.encode("utf-8", "replace")):
            self._count("find", address, GUESSES)
            raise NoRoom(id="not-the-teacher")
        room.heard = self.clock()
        return room

    def close(self, room: Room) -> None:
        room.is_closed = True
        self.rooms.pop(room.code, None)
        room.changed()

    def stop(self) -> None:
        """Let go of everybody who listens: a server that is told to end waits for them."""
        self.is_stopping = True
        for room in self.rooms.values():
            room.changed()

    def sweep(self) -> None:
        """Close the rooms that waited too long for their teacher."""
        late = self.clock() - ALONE_SECONDS
        for room in [each for each in self.rooms.values() if not each.desks and each.heard < late]:
            self.close(room)

    def _count(self, what: str, address: str, most: int) -> None:
        tries = self._tries.get((what, address), 0)
        if tries >= most:
            raise _too_often()
        self._tries[what, address] = tries + 1


def _too_often() -> TooMany:
    return TooMany(id="too-many-tries")


ALL = Rooms()
