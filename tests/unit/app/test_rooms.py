"""Rooms of a class: who may drive, what is counted, what is bounded, and that nothing is left."""

import asyncio
import json
import logging
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import pytest
from attnviz_app.api import rooms as routes
from attnviz_app.serving import rooms
from attnviz_app.serving.rooms import NoRoom, Question, Room, Rooms, TooMany
from attnviz_app.settings import Settings
from starlette.applications import Starlette
from starlette.testclient import TestClient

BASE = {"base": "http://school.example/lab"}
HOSTILE = "<img src=x onerror=alert(1)> =cmd()\u202e"


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def all_rooms(clock: Clock) -> Rooms:
    return Rooms(clock)


@pytest.fixture
def client(all_rooms: Rooms, monkeypatch: pytest.MonkeyPatch) -> Iterator[TestClient]:
    monkeypatch.setattr(routes, "ALL", all_rooms)
    with TestClient(Starlette(routes=routes.ROUTES)) as client:
        yield client


def opened(client: TestClient, all_rooms: Rooms) -> tuple[Room, dict[str, str]]:
    told = client.post("/rooms/open", json=BASE).json()
    return all_rooms.rooms[told["code"]], {"code": told["code"], "secret": told["secret"]}


def asked(text: str, options: Sequence[str] = ()) -> dict[str, Any]:
    return {"words": {"en": {"text": text, "options": list(options)}}}


def heard(room: Room, ticket: str) -> dict[str, object]:
    """What a student hears at once."""

    async def first() -> str:
        async for line in routes._seat(room, ticket, room.students[ticket]):
            return line
        raise AssertionError

    return dict(json.loads(asyncio.run(first()).removeprefix("data: ")))


@pytest.mark.parametrize(
    ("mode", "address", "base", "reached"),
    [
        ("local", "192.0.2.7", BASE["base"], BASE["base"]),
        ("local", "192.0.2.7", "http://localhost:8501", None),
        ("hosted", "192.0.2.7", "http://localhost:8501", "http://192.0.2.7:8501"),
        ("hosted", "localhost", "http://localhost:8501", None),
    ],
)
def test_a_room_has_a_code_a_link_and_a_picture_of_it_where_students_reach_the_address(
    client: TestClient, monkeypatch: pytest.MonkeyPatch, mode: str, address: str, base: str, reached: str | None
) -> None:
    monkeypatch.setattr(routes, "settings", lambda: Settings.model_validate({"mode": mode}))
    monkeypatch.setattr(routes, "network_address", lambda: address)
    told = client.post("/rooms/open", json={"base": base}).json()
    assert len(told["code"]) == rooms.LENGTH and set(told["code"]) <= set(rooms.LETTERS)
    assert told["link"] == f"{reached or base}/?class={told['code']}"
    assert told["qr"].startswith("data:image/svg+xml") if reached else told["qr"] == ""


@pytest.mark.parametrize("base", ["javascript:alert(1)", "http://a@b", "http://a/?x", "ftp://a", ""])
def test_an_address_that_no_browser_has_is_refused(client: TestClient, base: str) -> None:
    assert client.post("/rooms/open", json={"base": base}).status_code == 422


def test_what_the_teacher_shows_is_heard_and_two_rooms_do_not_mix(client: TestClient, all_rooms: Rooms) -> None:
    (one, mine), (other, theirs) = opened(client, all_rooms), opened(client, all_rooms)
    a, b = one.join(""), other.join("")
    assert client.post("/rooms/teach", json={**mine, "at": ["step", "on=reverse"]}).status_code == 204
    assert (heard(one, a)["page"], heard(one, a)["query"]) == ("step", "on=reverse")
    assert heard(other, b)["query"] == ""
    assert client.post("/rooms/teach", json={**theirs, "code": mine["code"], "does": "close"}).status_code == 404
    assert not one.is_closed


@pytest.mark.parametrize(
    "rubbish",
    [
        {"at": ["//evil.example", "x"]}, {"at": ["step", "x" * 5000]}, {"at": "step"}, {"ask": {"words": {}}},
        {"ask": asked("a", ["b"] * 65)}, {"show": -1}, {"does": "drop"}, {"more": 1},
        {"ask": {"words": {"en": {"text": "a"}, "zh-CN": {"text": "a", "options": ["b"]}}}},
        {"ask": asked("a", ["b", "c", "b"])},
    ],
)  # fmt: skip
def test_what_no_teacher_sends_is_refused(client: TestClient, all_rooms: Rooms, rubbish: dict[str, object]) -> None:
    room, mine = opened(client, all_rooms)
    assert client.post("/rooms/teach", json={**mine, **rubbish}).status_code in (400, 422)
    assert (room.page, room.question) == ("", None)


def test_answers_are_counted_once_a_student_and_shown_when_revealed_from_five_on(
    client: TestClient, all_rooms: Rooms
) -> None:
    room, mine = opened(client, all_rooms)
    tickets = [room.join("") for _ in range(5)]
    words = {"lang": "en", "text": "Which?", "options": ["a", "b"]}
    client.post("/rooms/teach", json={**mine, "ask": {"words": {"en": {**words, "why": "So."}}, "right": "1"}})
    for ticket in tickets[:4]:
        client.post("/rooms/say", json={"code": room.code, "ticket": ticket, "answer": "0"})
    client.post("/rooms/say", json={"code": room.code, "ticket": tickets[0], "answer": "1"})
    told = heard(room, tickets[0])["question"]
    assert told == {"words": {"en": words}, "revealed": False}
    assert room.seen_by_teacher()["answered"] == 4
    client.post("/rooms/teach", json={**mine, "does": "reveal"})
    assert room.seen_by_all()["question"]["counts"] == []
    assert room.seen_by_all()["question"]["words"]["en"]["why"] == "So."
    client.post("/rooms/say", json={"code": room.code, "ticket": tickets[4], "answer": "1"})
    assert room.seen_by_teacher()["answered"] == 4  # too late
    client.post("/rooms/teach", json={**mine, "ask": asked("Where?")})
    for ticket in tickets:
        client.post("/rooms/say", json={"code": room.code, "ticket": ticket, "answer": "3,4"})
    client.post("/rooms/teach", json={**mine, "does": "reveal"})
    assert room.seen_by_all()["question"]["counts"] == [("3,4", 5)]
    tickets += [room.join("") for _ in range(5)]
    client.post("/rooms/teach", json={**mine, "ask": asked("Which?", list("abcdefghij"))})
    for at, ticket in enumerate(tickets):
        client.post("/rooms/say", json={"code": room.code, "ticket": ticket, "answer": str(at)})
    client.post("/rooms/teach", json={**mine, "does": "reveal"})
    assert sorted(room.seen_by_all()["question"]["counts"]) == [(str(at), 1) for at in range(10)]
    assert "64" in client.post("/rooms/teach", json={**mine, "ask": asked("?", [str(n) for n in range(65)])}).text
    room.shown = "A sentence"
    for query, stays in (("lesson=1&step=4", True), ("step=4&lesson=1&told=1", True), ("lesson=2&step=1", False)):
        client.post("/rooms/teach", json={**mine, "at": ["lessons", query]})
        assert (room.shown != "", room.question is not None) == (stays, stays), query
    client.post("/rooms/teach", json={**mine, "ask": asked("Where?"), "at": ["lessons", "lesson=2&step=2"]})
    client.post("/rooms/teach", json={**mine, "at": ["lessons", "lesson=2&step=3"]})
    assert room.question is not None  # the teacher's own is open yet
    own = {"words": {"en": {"text": "Where?", "options": ["a", "b"], "why": "It is so."}}, "right": "1"}
    client.post("/rooms/teach", json={**mine, "ask": own})
    client.post("/rooms/teach", json={**mine, "at": ["lessons", "lesson=2&step=4"]})
    assert room.question is None  # the lesson's is not of that step


def test_the_short_test_is_counted_once_a_student_and_its_totals_are_shown_from_five_on(
    client: TestClient, all_rooms: Rooms
) -> None:
    room, mine = opened(client, all_rooms)
    tickets = [room.join("") for _ in range(6)]

    def take(ticket: str, answers: str, name: str = "before A") -> int:
        said = {"code": room.code, "ticket": ticket, "test": {"name": name, "answers": answers}}
        return client.post("/rooms/say", json=said).status_code

    def totals() -> Any:
        client.post("/rooms/teach", json={**mine, "totals": "before A"})
        return room.seen_by_teacher()["tests"]["before A"]

    assert [take(tickets[0], it) for it in ("0123012", "01230124", "x", HOSTILE)] == [422] * 4
    assert take(tickets[0], "01230123", "after C") == 422
    for ticket in tickets[:4]:
        take(ticket, "01230123")
        take(ticket, "33333333")  # a second time counts nothing
    assert totals() == {"n": 4, "counts": []}
    assert heard(room, tickets[0])["tests"] == ["before A"] and heard(room, tickets[0])["counted"] == []
    take(tickets[4], "33333333")
    assert room.seen_by_teacher()["tests"]["before A"]["counts"] == []  # until the teacher shows them
    assert totals() == {"n": 5, "counts": [[4, 0, 0, 1], [0, 4, 0, 1], [0, 0, 4, 1], [0, 0, 0, 5]] * 2}
    take(tickets[5], "00000000")  # its answers would be known by the difference
    assert totals()["n"] == 5 and heard(room, tickets[5])["counted"] == ["before A"]
    assert "01230123" not in repr(room)  # which of them one student gave


@pytest.mark.parametrize("answer", ["2", "9", "1,1", "-1", "x", "١", "1,2,3", HOSTILE])
def test_an_answer_that_was_not_offered_is_none(answer: str) -> None:
    which, where = Question(asked("Which?", ["a", "b"])["words"]), Question(asked("Where?")["words"])
    assert not which.takes(answer)
    assert which.takes("1") and where.takes("1,12")


def test_sentences_have_no_author_are_bounded_and_can_be_turned_off(client: TestClient, all_rooms: Rooms) -> None:
    room, mine = opened(client, all_rooms)
    ticket = room.join("")
    said = [
        client.post("/rooms/say", json={"code": room.code, "ticket": ticket, "sentence": HOSTILE}) for _ in range(7)
    ]
    assert [it.status_code for it in said] == [204] * rooms.EACH + [429] * 2
    assert "not sent" in said[-1].json()["error"] and room.sentences == [HOSTILE] * rooms.EACH
    assert ticket not in json.dumps(room.seen_by_teacher())
    assert "said" not in heard(room, ticket)
    client.post("/rooms/teach", json={**mine, "show": 0})
    assert heard(room, ticket)["shown"] == HOSTILE
    client.post("/rooms/teach", json={**mine, "does": "hide", "sentences": False})
    late = {"code": room.code, "ticket": room.join(""), "sentence": "late"}
    assert client.post("/rooms/say", json=late).status_code == 429
    room.takes_sentences, room.sentences = True, [HOSTILE] * rooms.SENTENCES
    assert client.post("/rooms/say", json=late).status_code == 429  # the class said enough
    assert "late" not in room.sentences and heard(room, ticket)["shown"] == ""


def test_who_guesses_codes_or_secrets_is_stopped_and_who_is_inside_is_not(all_rooms: Rooms, clock: Clock) -> None:
    room = all_rooms.open("teacher")
    ticket = room.join("")
    for guess in (
        partial(all_rooms.find, "AAAAA", "school"), partial(all_rooms.taught, "AAAAA", "guess", "here"),
        partial(all_rooms.taught, room.code, "guess", "elsewhere"),
    ):  # fmt: skip
        for _ in range(rooms.GUESSES):
            with pytest.raises(NoRoom):
                guess()
        with pytest.raises(TooMany):
            guess()
    with pytest.raises(TooMany):
        all_rooms.find(room.code, "school")
    assert all_rooms.find(room.code, "school", ticket) is room
    assert all_rooms.taught(room.code, room.secret, "school") is room
    assert all_rooms.find(room.code, "home") is room
    clock.now += rooms.SECONDS + 1
    assert all_rooms.find(room.code, "school") is room


def test_rooms_students_and_openings_are_bounded(all_rooms: Rooms) -> None:
    for n in range(rooms.ROOMS):
        room = all_rooms.open(f"address {n}")
    with pytest.raises(TooMany, match="at most"):
        all_rooms.open("one more")
    tickets = [room.join("") for _ in range(rooms.STUDENTS)]
    room.students[tickets[0]].tabs = 0
    for ticket in tickets[1:]:
        room.students[ticket].tabs = 1
    assert room.join(tickets[5]) == tickets[5]
    room.students[tickets[5]].tabs = rooms.TABS
    with pytest.raises(TooMany):
        room.join(tickets[5])
    newcomer = room.join("mine own ticket")  # takes the place of who left
    assert newcomer != "mine own ticket" and tickets[0] not in room.students
    room.students[newcomer].tabs = 1
    with pytest.raises(TooMany):
        room.join("")
    assert len(room.students) == rooms.STUDENTS
    all_rooms.rooms.clear()
    for _ in range(rooms.OPENED):
        all_rooms.open("busy")
    with pytest.raises(TooMany, match="Too many tries from this address"):
        all_rooms.open("busy")


def test_a_room_without_its_teacher_ends_and_who_listens_is_told(all_rooms: Rooms, clock: Clock) -> None:
    room, kept = all_rooms.open("a"), all_rooms.open("b")
    kept.desks.add(asyncio.Event())
    ticket = room.join("")
    clock.now += rooms.ALONE_SECONDS + 1
    new = all_rooms.open("c")
    assert list(all_rooms.rooms.values()) == [kept, new]
    assert heard(room, ticket)["closed"] is True
    with pytest.raises(NoRoom):
        all_rooms.find(room.code, "a")


def test_a_lost_connection_comes_back_to_its_own_answer(client: TestClient, all_rooms: Rooms) -> None:
    room, mine = opened(client, all_rooms)
    ticket = room.join("")
    client.post("/rooms/teach", json={**mine, "ask": asked("Which?", ["a", "b"])})
    client.post("/rooms/say", json={"code": room.code, "ticket": ticket, "answer": "1"})
    assert room.join(ticket) == ticket
    assert heard(room, ticket)["answer"] == "1"
    assert room.students[ticket].tabs == 0  # the generator was left


def test_who_listens_hears_the_last_state_not_every_one(all_rooms: Rooms) -> None:
    room = all_rooms.open("a")

    async def follow() -> list[str]:
        ticket = room.join("")
        lines = routes._seat(room, ticket, room.students[ticket])
        found = [await anext(lines)]
        for n in range(100):
            room.page, room.query = "step", f"cell={n}"
            room.changed()
        found.append(await anext(lines))
        await lines.aclose()  # type: ignore[attr-defined]
        return found

    found = asyncio.run(follow())
    assert "cell=99" in found[1] and room.listeners == set()


def test_nothing_of_a_room_is_logged(client: TestClient, all_rooms: Rooms, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, logger="attnviz_app"):
        room, mine = opened(client, all_rooms)
        client.post("/rooms/say", json={"code": room.code, "ticket": room.join(""), "sentence": HOSTILE})
        client.post("/rooms/say", json={"code": "AAAAA", "ticket": "", "sentence": HOSTILE})
        client.post("/rooms/teach", json={**mine, "does": "close"})
    said = "".join(record.getMessage() for record in caplog.records if record.name.startswith("attnviz"))
    assert room.code not in said and HOSTILE not in said and room.secret not in said
