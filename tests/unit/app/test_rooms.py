"""Rooms of a class: who may drive, what is counted, what is bounded, and that nothing is left."""

import asyncio
import json
import logging
import threading
from functools import partial
from types import SimpleNamespace
from urllib.parse import urlencode

import pytest
from attnviz_app.api import rooms as routes
from attnviz_app.api import shown
from attnviz_app.lessons.content import short_test
from attnviz_app.serving import rooms
from attnviz_app.serving.rooms import NoRoom, Question, Rooms, TooMany
from attnviz_app.settings import Settings
from starlette.applications import Starlette
from starlette.testclient import TestClient

LAB, HERE = "http://school.example/lab", "http://localhost:8501"
HOSTILE = "<img src=x onerror=alert(1)> =cmd()\u202e"


@pytest.fixture
def clock():
    return SimpleNamespace(now=1000.0)


@pytest.fixture
def all_rooms(clock):
    return Rooms(lambda: clock.now)


@pytest.fixture
def client(all_rooms, monkeypatch):
    monkeypatch.setattr(routes, "ALL", all_rooms)
    monkeypatch.setattr(routes, "read", lambda now, say: None)  # but where a test has the models read
    with TestClient(Starlette(routes=routes.ROUTES)) as client:
        yield client


class OneClass:
    """A room as its teacher and its students reach it."""

    def __init__(self, client, all_rooms):
        told = client.post("/rooms/open", json={"base": LAB}).json()
        self.client, self.room = client, all_rooms.rooms[told["code"]]
        self.teacher = {"code": told["code"], "secret": told["secret"]}

    def join(self, n):
        return [self.room.join("") for _ in range(n)]

    def teach(self, **does):
        return self.client.post("/rooms/teach", json={**self.teacher, **does})

    def say(self, ticket, **said):
        return self.client.post("/rooms/say", json={"code": self.room.code, "ticket": ticket, **said})


@pytest.fixture
def one(client, all_rooms):
    return OneClass(client, all_rooms)


def asked(text, options=(), **more):
    return {"words": {"en": {"text": text, "options": list(options), **more}}}


def link(model, text, **more):
    return urlencode({"model": model, "text": text, **more})


def heard(room, ticket):
    """What a student hears at once."""

    async def first():
        async for line in routes._seat(room, ticket, room.students[ticket]):
            return line

    return json.loads(asyncio.run(first()).removeprefix("data: "))


@pytest.mark.parametrize(("mode", "address", "base", "reached"), [
    ("local", "192.0.2.7", LAB, LAB), ("local", "192.0.2.7", HERE, None),
    ("hosted", "192.0.2.7", HERE, "http://192.0.2.7:8501"), ("hosted", "localhost", HERE, None),
])  # fmt: skip
def test_a_room_has_a_code_and_a_link_that_students_reach(client, monkeypatch, mode, address, base, reached):
    monkeypatch.setattr(routes, "settings", lambda: Settings.model_validate({"mode": mode}))
    monkeypatch.setattr(routes, "network_address", lambda: address)
    told = client.post("/rooms/open", json={"base": base}).json()
    assert len(told["code"]) == rooms.LENGTH and set(told["code"]) <= set(rooms.LETTERS)
    assert told["link"] == f"{reached or base}/?class={told['code']}"
    assert told["qr"].startswith("data:image/svg+xml") if reached else told["qr"] == ""


def test_the_address_of_a_class_is_said_before_a_room_opens(client, all_rooms, monkeypatch):
    monkeypatch.setattr(routes, "network_address", lambda: "192.0.2.7")
    for mode, base, said in (("local", HERE, ""), ("hosted", HERE, "http://192.0.2.7:8501"), ("local", LAB, LAB)):
        monkeypatch.setattr(routes, "settings", lambda mode=mode: Settings.model_validate({"mode": mode}))
        assert client.post("/rooms/address", json={"base": base}).json() == {"link": said}
    assert all_rooms.rooms == {}


def test_while_nobody_has_come_in_the_teacher_answers_and_is_shown_the_result_and_then_never_again(one):
    one.teach(ask=asked("Which?", "ab"), answer="1")
    assert one.teach(answer="9").status_code == 204  # no choice: the answer stays
    one.teach(does="reveal")
    told = one.room.seen_by_teacher()
    assert (told["rehearsal"], told["rehearsed"], told["answered"]) == (True, "1", 1)
    assert told["question"]["counts"] == [("1", 1)]
    (ticket,) = one.join(1)
    assert heard(one.room, ticket)["question"]["counts"] == [] and not one.room.seen_by_teacher()["rehearsal"]
    one.teach(ask=asked("Which?", "ab"), answer="1")
    one.teach(does="reveal")
    assert one.room.seen_by_teacher()["answered"] == 0  # a teacher has no vote in a class


@pytest.mark.parametrize("base", ["javascript:alert(1)", "http://a@b", "http://a/?x", "ftp://a", ""])
def test_an_address_that_no_browser_has_is_refused(client, base):
    assert client.post("/rooms/open", json={"base": base}).status_code == 422


def test_what_the_teacher_shows_is_heard_and_two_rooms_do_not_mix(client, all_rooms, one):
    other = OneClass(client, all_rooms)
    (a,), (b,) = one.join(1), other.join(1)
    assert one.teach(at=["step", link("reverse", "c b a")]).status_code == 204
    assert (heard(one.room, a)["page"], heard(one.room, a)["query"]) == ("step", link("reverse", "c b a"))
    assert heard(other.room, b)["query"] == ""
    assert other.teach(code=one.room.code, does="close").status_code == 404
    assert not one.room.is_closed


LESSON_ONE = {"lesson": "1", "step": "4"}
LONG = " ".join(["fish"] * 600)


@pytest.fixture
def reads(monkeypatch):
    """A room has the models read what is shown, as it does."""
    monkeypatch.setattr(routes, "read", shown.read)


@pytest.mark.parametrize(("page", "asks", "why"), [
    ("step", link("translate-en-zh", "The zebra ate fish ."), "zebra"),
    ("heads", link("translate-en-zh", "The zebra ate fish ."), "zebra"),
    ("", link("translate-en-zh", "The zebra ate fish ."), "zebra"),
    ("lessons", link("translate-en-zh", "The zebra ate fish .", **LESSON_ONE), "zebra"),
    ("compare", link("translate-en-zh", "The child ate fish .", model2="translate-en-zh", text2="A zebra ."), "zebra"),
    ("train", urlencode({"task": "translate-en-zh", "text": "The zebra ate fish ."}), "zebra"),
    *(("heads", link(model, "月 the sea"), "t, h, e, s, a") for model in ("poems-zh", "poems-zh-tw")),
    ("", link("poems-zh", "the sea, the sea, the sea"), "t, h, e, s, a"),
    ("compare", link("poems-zh-tw", "月光", model2="poems-zh", text2="月☃光"), "☃"),
    ("train", urlencode({"task": "poems-zh", "text": "月☃光"}), "☃"),
    ("lessons", link("poems-zh", "月☃光", **LESSON_ONE), "☃"),
    ("heads", link("poems-zh", "明月" * 60), "120 tokens are too many: Tang verse model, simplified takes at most 80"),
    ("step", link("translate-en-zh", LONG), "too many"), ("heads", link("translate-en-zh", LONG), "too many"),
    ("step", link("translate-en-zh", LONG * 2), "Shorten"),
    ("step", link("not-here", "The child ate fish ."), "not-here"),
    ("heads", link("not-here", "The child ate fish ."), "not-here"),
    ("compare", link("translate-en-zh", "The child ate fish .", model2="not-here"), "not-here"),
    ("compare", link("translate-en-zh", "The child ate fish ."), "which model"),  # B is a file of the teacher's
    ("step", "model=translate-en-zh", "which model"), ("heads", urlencode({"text": "fish"}), "which model"),
])  # fmt: skip
def test_what_cannot_be_read_is_shown_to_nobody_and_its_teacher_told_in_a_sentence(one, reads, page, asks, why):
    (ticket,), before = one.join(1), link("translate-en-zh", "The child ate fish .")
    assert one.teach(at=["step", before]).status_code == 204
    refused = one.teach(at=[page, asks])
    assert refused.status_code in (404, 422) and why in refused.json()["error"]
    assert len(refused.json()["error"]) < 250  # a sentence or two, and no list of all words
    assert (heard(one.room, ticket)["page"], heard(one.room, ticket)["query"]) == ("step", before)


@pytest.mark.parametrize(("page", "asks"), [
    ("step", link("translate-en-zh", "A dog saw the child .")), ("step", link("untrained-decoder", "Any zebra")),
    ("heads", link("translate-en-zh", "A dog saw the child .", token=2, key=1)),
    ("lessons", "lesson=1&step=4"), ("lessons", "lesson=before&form=A"), ("lessons", "lesson=x&model=a"),
    ("lessons", link("translate-en-zh", "A dog saw the child .", **LESSON_ONE)),
    ("train", "task=reverse"), ("byhand", "numbers=1"), ("about", "x=1"),
    ("compare", link("translate-en-zh", "A dog .", model2="translate-en-zh", text2="The child .")),
])  # fmt: skip
def test_what_is_read_or_asks_for_no_reading_is_shown(one, reads, page, asks):
    (ticket,) = one.join(1)
    assert one.teach(at=[page, asks]).status_code == 204
    assert (heard(one.room, ticket)["page"], heard(one.room, ticket)["query"]) == (page, asks)


def test_another_cell_of_a_sentence_that_was_read_takes_no_run(one, monkeypatch):
    read = []
    monkeypatch.setattr(routes, "read", lambda now, say: read.append(now))
    for token in "123":
        one.teach(at=["step", link("reverse", "c b a", token=token)])
    assert len(read) == 1 and "token=3" in one.room.query
    one.teach(at=["heads", link("reverse", "c b a", token=3)])
    assert len(read) == 2


@pytest.mark.parametrize("is_refused", [False, True])
def test_of_two_changes_at_once_the_class_sees_the_last_whichever_is_read_first(one, monkeypatch, is_refused):
    begun, may_end = threading.Event(), threading.Event()

    def read(now, say):
        if now.query["text"] == "slow":
            begun.set()
            assert may_end.wait(60)
        elif is_refused:
            raise TooMany(id="room-said")

    monkeypatch.setattr(routes, "read", read)
    request = SimpleNamespace(client=None)

    def show(text):
        return routes._teach(routes.Taught.model_validate({**one.teacher, "at": ["step", link("m", text)]}), request)

    async def both():
        slow = asyncio.create_task(show("slow"))
        await asyncio.to_thread(begun.wait, 60)
        if is_refused:
            with pytest.raises(TooMany):
                await show("quick")
        else:
            await show("quick")
        may_end.set()
        await slow

    asyncio.run(both())
    assert one.room.query == ("" if is_refused else link("m", "quick"))


@pytest.mark.parametrize("rubbish", [
    {"at": ["//evil.example", "x"]}, {"at": ["step", "x" * 70000]}, {"at": "step"}, {"ask": {"words": {}}},
    {"ask": asked("a", map(str, range(65)))}, {"drop": -1}, {"does": "drop"}, {"show": 0},
    {"ask": {"words": {"en": {"text": "a"}, "zh-CN": {"text": "a", "options": ["b"]}}}},
    {"ask": asked("a", ["b", "c", "b"])},
])  # fmt: skip
def test_what_no_teacher_sends_is_refused(one, rubbish):
    assert one.teach(**rubbish).status_code in (400, 422)
    assert (one.room.page, one.room.question) == ("", None)


def test_answers_are_counted_once_a_student_and_shown_when_revealed_from_five_on(one):
    tickets, words = one.join(5), {"lang": "en", "text": "Which?", "options": ["a", "b"]}
    one.teach(ask={"words": {"en": {**words, "why": "So."}}, "right": "1"})
    for ticket, answer in zip([*tickets[:4], tickets[0]], "00001", strict=True):
        one.say(ticket, answer=answer)
    assert heard(one.room, tickets[0])["question"] == {"words": {"en": words}, "revealed": False}
    assert one.room.seen_by_teacher()["answered"] == 4
    one.teach(does="reveal")
    told = one.room.seen_by_all()["question"]
    assert (told["counts"], told["words"]["en"]["why"]) == ([], "So.")
    one.say(tickets[4], answer="1")
    assert one.room.seen_by_teacher()["answered"] == 4  # too late
    tickets += one.join(5)
    choices = list("abcdefghij")
    for options, answers, counts in (
        ([], ["3,4"] * 5, [("3,4", 5)]), (choices, map(str, range(10)), [(str(at), 1) for at in range(10)]),
    ):  # fmt: skip
        one.teach(ask=asked("Which?", options))
        for ticket, answer in zip(tickets, answers, strict=False):
            one.say(ticket, answer=answer)
        one.teach(does="reveal")
        assert sorted(one.room.seen_by_all()["question"]["counts"]) == counts
    assert "64" in one.teach(ask=asked("?", map(str, range(65)))).text


def test_what_is_asked_stays_till_another_step_and_the_teachers_own_question_till_it_is_revealed(one):
    one.teach(ask=asked("Which?", "ab"), does="reveal")
    for query, stays in (("lesson=1&step=4", True), ("step=4&lesson=1&told=1", True), ("lesson=2&step=1", False)):
        one.teach(at=["lessons", query])
        assert (one.room.question is not None) == stays, query
    for of, stays in (("", True), ("lesson=2&step=3", False), ("lesson=2&step=9", True)):
        one.teach(at=["lessons", "lesson=2&step=3"])
        one.teach(ask={**asked("Where?", "ab"), "of": of})  # of step 9: the page is there, and its address comes later
        one.teach(at=["lessons", "step=9&lesson=2&told=1"])
        assert (one.room.question is not None) is stays, of
    one.teach(at=["lessons", "lesson=2&step=10"])
    assert one.room.question is None


def test_the_short_test_is_counted_once_a_student_and_its_totals_are_shown_from_five_on(one):
    tickets = one.join(6)

    def take(ticket, answers, name="before A"):
        return one.say(ticket, test={"name": name, "answers": answers}).status_code

    def totals():
        one.teach(totals="before A")
        return one.room.seen_by_teacher()["tests"]["before A"]

    assert [take(tickets[0], it) for it in ("0123012", "01230124", "x", HOSTILE)] == [422] * 4
    assert take(tickets[0], "01230123", "after C") == 422
    for ticket in tickets[:4]:
        take(ticket, "01230123")
        take(ticket, "33333333")  # a second time counts nothing
    assert totals() == {"n": 4, "counts": [], "scores": []}
    assert heard(one.room, tickets[0])["tests"] == ["before A"] and heard(one.room, tickets[0])["counted"] == []
    take(tickets[4], "33333333")
    assert one.room.seen_by_teacher()["tests"]["before A"]["counts"] == []  # until the teacher shows them
    right = [item["A"].right for item in short_test()]
    sheets = [[int(answer) == wanted for answer, wanted in zip(it, right, strict=True)] for it in ["01230123"] * 4]
    scores = [sum(sheet) for sheet in sheets]  # the fifth knew nothing
    of_right = [sum(score for score, sheet in zip(scores, sheets, strict=True) if sheet[at]) for at in range(8)]
    assert any(scores) and totals() == {
        "n": 5, "counts": [[4, 0, 0, 1], [0, 4, 0, 1], [0, 0, 4, 1], [0, 0, 0, 5]] * 2,
        "scores": [*of_right, sum(scores), sum(score**2 for score in scores)],
    }  # fmt: skip
    take(tickets[5], "00000000")  # its answers would be known by the difference
    assert totals()["n"] == 5 and heard(one.room, tickets[5])["counted"] == ["before A"]
    assert "01230123" not in repr(one.room)  # which of them one student gave


@pytest.mark.parametrize("answer", ["2", "9", "1,1", "-1", "x", "١", "1,2,3", HOSTILE])
def test_an_answer_that_was_not_offered_is_none(answer):
    which, where = Question(asked("Which?", ["a", "b"])["words"]), Question(asked("Where?")["words"])
    assert not which.takes(answer)
    assert which.takes("1") and where.takes("1,12")


def test_a_sentence_keeps_its_lines(one):
    (ticket,) = one.join(1)
    one.say(ticket, sentence=" user\nWhat is it? ")
    assert list(one.room.sentences.values()) == ["user\nWhat is it?"]


def test_of_two_machines_of_a_teacher_the_one_that_was_touched_leads(one):
    def shown(by, step, takes):
        assert one.teach(at=["lessons", f"lesson=1&step={step}"], by=by, takes=takes).status_code == 204
        return one.room.by, one.room.query[-1]

    assert shown("desk", 1, takes=False) == ("desk", "1")  # the first
    assert shown("tablet", 2, takes=True) == ("tablet", "2")
    assert shown("desk", 3, takes=True) == ("desk", "3")
    assert shown("tablet", 2, takes=False) == ("desk", "3")  # a picture of before that came late
    assert shown("desk", 4, takes=False) == ("desk", "4")


def test_sentences_have_no_author_are_the_teachers_alone_are_bounded_and_can_be_deleted_and_turned_off(one):
    room, (ticket, late) = one.room, one.join(2)
    said = [one.say(ticket, sentence=HOSTILE) for _ in range(7)]
    assert [it.status_code for it in said] == [204] * rooms.EACH + [429] * 2
    assert "not sent" in said[-1].json()["error"] and list(room.sentences.values()) == [HOSTILE] * rooms.EACH
    assert ticket not in json.dumps(room.seen_by_teacher())
    assert HOSTILE not in heard(one.room, ticket).values() and "said" not in heard(one.room, ticket)
    for _ in range(2):  # pressed twice, or on two machines, it deletes one
        one.teach(drop=room.seen_by_teacher()["said"][0][0] if len(room.sentences) == rooms.EACH else 1)
    assert [id for id, _ in room.seen_by_teacher()["said"]] == [2, 3, 4, 5]
    one.teach(sentences=False)
    assert one.say(late, sentence="late").status_code == 429
    room.takes_sentences, room.sentences = True, dict.fromkeys(range(rooms.SENTENCES), HOSTILE)
    assert one.say(late, sentence="late").status_code == 429  # the class said enough
    assert "late" not in room.sentences.values()


def test_who_guesses_codes_or_secrets_is_stopped_and_who_is_inside_is_not(all_rooms, clock):
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


def test_rooms_students_and_openings_are_bounded(all_rooms):
    for n in range(rooms.ROOMS):
        room = all_rooms.open(f"address {n}")
    with pytest.raises(TooMany, match="at most"):
        all_rooms.open("one more")
    left, *here = (room.join("") for _ in range(rooms.STUDENTS))
    for ticket in here:
        room.students[ticket].tabs = 1
    assert room.join(here[4]) == here[4]
    room.students[here[4]].tabs = rooms.TABS
    with pytest.raises(TooMany):
        room.join(here[4])
    newcomer = room.join("mine own ticket")  # takes the place of who left
    assert newcomer != "mine own ticket" and left not in room.students
    room.students[newcomer].tabs = 1
    with pytest.raises(TooMany):
        room.join("")
    assert len(room.students) == rooms.STUDENTS
    all_rooms.rooms.clear()
    for _ in range(rooms.OPENED):
        all_rooms.open("busy")
    with pytest.raises(TooMany, match="Too many tries from this address"):
        all_rooms.open("busy")


def test_a_room_without_its_teacher_ends_and_who_listens_is_told(all_rooms, clock):
    room, kept = all_rooms.open("a"), all_rooms.open("b")
    kept.desks.add(asyncio.Event())
    ticket = room.join("")
    clock.now += rooms.ALONE_SECONDS + 1
    new = all_rooms.open("c")
    assert list(all_rooms.rooms.values()) == [kept, new]
    assert heard(room, ticket)["closed"] is True
    with pytest.raises(NoRoom):
        all_rooms.find(room.code, "a")


def test_a_lost_connection_comes_back_to_its_own_answer(one):
    (ticket,) = one.join(1)
    one.teach(ask=asked("Which?", "ab"))
    one.say(ticket, answer="1")
    assert one.room.join(ticket) == ticket
    assert heard(one.room, ticket)["answer"] == "1"
    assert one.room.students[ticket].tabs == 0  # the generator was left


def test_who_listens_hears_the_last_state_not_every_one(all_rooms):
    room = all_rooms.open("a")

    async def follow():
        ticket = room.join("")
        lines = routes._seat(room, ticket, room.students[ticket])
        await anext(lines)
        for n in range(100):
            room.page, room.query = "step", f"token={n}"
            room.changed()
        last = await anext(lines)
        await lines.aclose()
        return last

    assert "token=99" in asyncio.run(follow()) and room.listeners == set()


def test_nothing_of_a_room_is_logged(one, caplog):
    with caplog.at_level(logging.INFO, logger="attnviz_app"):
        (ticket,) = one.join(1)
        one.say(ticket, sentence=HOSTILE)
        one.say("", sentence=HOSTILE, code="AAAAA")
        one.teach(does="close")
    said = "".join(record.getMessage() for record in caplog.records if record.name.startswith("attnviz"))
    assert one.room.code not in said and HOSTILE not in said and one.room.secret not in said
