"""What a teacher prints: plans, worksheets, answers, and how to measure what a class learned, as Markdown.

Made of the lessons and their runs. `python -m tests.unit.app.test_lessons` writes the English one into the docs.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache

from attnviz_app.compare.sides import side_label
from attnviz_app.lessons import pencil
from attnviz_app.lessons.content import (
    Claim,
    Step,
    lessons,
    matrix,
    options,
    printed,
    right,
    short_test,
    told,
    values,
)
from attnviz_app.lessons.state import not_here
from attnviz_app.serving.model_menu import ALLOWED
from attnviz_app.serving.training_names import model_label
from attnviz_app.step.query import picked_in

from attnviz.text import Strings

WORD = 12  # characters up to which choices stand in one line of a worksheet
ACROSS = 14  # tokens beside each other on a worksheet
DIGITS = 3  # of a probability, as in the picture
PLACE = re.compile(r"(encoder|decoder)\.([0-9]+)\.(?:(self|cross)\.h([0-9]+)\.)?")  # how a matrix's key begins


def sections(say: Strings) -> Iterator[tuple[str, str]]:
    """Each section's name and its Markdown, with `<br>` in it; runs are made when a section needs them."""
    yield "intro", f"# {say('teach-title')}\n\n{say('teach-intro')}\n"
    made: Mapping[str, Callable[[Strings], str]]
    made = {"plans": _plans, "sheets": _sheets, "answers": _answers, "items": _items}
    for name in ("before", "during", "plans", "sheets", "answers", "measure", "items", "limits"):
        text = made[name](say) if name in made else say(f"teach-{name}-text")
        yield name, f"## {say(f'teach-{name}')}\n\n{text}\n"


def _plans(say: Strings) -> str:
    head = f"| {say('teach-minutes')} | {say('teach-step')} | {say('lessons-believed')} |\n|---:|---|---|\n"
    return _of_steps(say, lambda step, _, said: f"| {step.minutes} | {said['title']} | {said['believe']} |", head)


def _sheets(say: Strings) -> str:
    empty = say("teach-sheet-cell", cell=say("view-room-cell", row="______", column="______"))
    return _of_steps(
        say,
        lambda step, at, said: (
            f"{at}. {said['ask']}<br>{_context(step, say)}{said['choices'] or empty}\n"
            if "choices" in said
            else f"{at}. {said['ask']}\n"
        ),
    )


def _context(step: Step, say: Strings) -> str:
    """What a question is about, for paper: its text, the layer and head, and numbers of them."""
    if step.page == "byhand":
        return _sheet(step)
    about = step.claims[0]
    text = f"*{_plain(about.text or step.link('', say.language)['text'])}*"
    rows = _rows(step, say)
    if rows:
        numbers = {model: matrix(row, step) for model, row in {row.model: row for row in rows}.items()}
        lines = []
        for row in rows:
            of_model, at = numbers[row.model], row.row or 0
            label = of_model.rows.label(at) + (f" · {side_label(row.model, say)}" if len(numbers) > 1 else "")
            lines.append((label, [printed(value) for value in of_model.values[at].tolist()]))
        name = say(f"stepper-matrix-{rows[0].at.rpartition('.')[2]}")
        title = say("teach-sheet-numbers", place=_place(rows[0], step, say), name=name)
        return f"{text} · {title}{_tables(numbers[rows[0].model].columns.labels, lines)}"
    if step.show.get("matrix") == "kept":
        return f"{text} · {say('teach-sheet-likeliest')}{_likeliest(step, say)}"
    return " · ".join(filter(None, (text, _place(about, step, say)))) + "<br>"


def _sheet(step: Step) -> str:
    """The numbers of a sheet of By hand that are given: the words' rows, and the weights side by side."""
    x, *weights = (matrix(Claim(name="", at=f"hand.{name}"), step) for name in pencil.NAMES)
    features = [str(at + 1) for at in range(x.columns.size)]
    words = [(x.rows.label(at), _whole(row)) for at, row in enumerate(x.values.tolist())]
    beside = [
        (at, [number for each in weights for number in _whole(each.values[int(at) - 1].tolist())]) for at in features
    ]
    labels = [f"{each.name} {at}" for each in weights for at in features]
    return f"X{_tables(features, words)}{_tables(labels, beside)}"


def _whole(row: Sequence[float]) -> list[str]:
    return [f"{x:g}" for x in row]


def _place(claim: Claim, step: Step, say: Strings) -> str:
    """The layer that a number is of, and the head where it is of one alone; "" of what is in no layer."""
    named = PLACE.match(claim.at)
    if named is None:
        return ""
    stack, layer, kind, head = named.groups()
    is_of_all = head is None or step.show.get("tab") == "heads"
    site = f"{stack}.{layer}.{kind or 'self'}"
    return place_name(claim.model or step.show["model"], site, None if is_of_all else int(head), say)


def place_name(model: str, site: str, head: int | None, say: Strings) -> str:
    """A layer as a lesson calls it, and one of its heads."""
    stack, layer, kind = site.split(".")
    name = "cross" if kind == "cross" else stack if model.startswith("translate") else "layer"
    place = say(f"stepping-site-{name}", layer=int(layer) + 1)
    return place if head is None else say("teach-sheet-head", place=place, head=head + 1)


def _likeliest(step: Step, say: Strings) -> str:
    """The likeliest next tokens, where it is asked which a cut keeps: those, and two more."""
    kept = next(claim for claim in step.claims if claim.at == "decoder.kept.count")
    row = Claim(name="", at="decoder.probabilities", row=kept.row)
    likeliest = values(row, step).topk(int(values(kept, step)[0]) + 2)
    labels = tuple(matrix(row, step).columns.label(int(token)) for token in likeliest.indices)
    numbers = [printed(value, DIGITS) for value in likeliest.values.tolist()]
    return _tables(labels, [(say("stepper-matrix-probabilities"), numbers)])


def _tables(labels: Sequence[str], rows: Sequence[tuple[str, Sequence[str]]]) -> str:
    """Rows of numbers under their tokens, a table for as many as stand beside each other on paper."""
    n = -(-len(labels) // ACROSS)
    tables = []
    for at in range(n):
        part = slice(len(labels) * at // n, len(labels) * (at + 1) // n)
        lines = [
            ("", *labels[part]),
            ("---:",) * (len(labels[part]) + 1),
            *((name, *said[part]) for name, said in rows),
        ]
        tables.append("\n".join(f"    | {_plain(' | '.join(line))} |" for line in lines))
    return "\n\n" + "\n\n    <br>\n\n".join(tables) + "\n\n    "


def _rows(step: Step, say: Strings) -> tuple[Claim, ...]:
    """The rows on a worksheet: a step's own, or of its picture the one that is asked about; all, to pick a cell in."""
    shown = step.link("", say.language)
    matrix_name = re.match(r"(raw|scores|weights|v)(\.2)?$", shown.get("matrix", ""))
    if step.paper or matrix_name is None:
        return step.paper
    name = "weights" if matrix_name[1] == "v" else matrix_name[1]  # which stand beside the values
    picked = picked_in(shown)
    place = picked.site.replace("self", "cross") if matrix_name[2] else picked.site
    one = Claim(name="", at=f"{place}.h{picked.head}.{name}", row=step.claims[0].row, model=shown["model"])
    if step.kind == "cell":
        return tuple(one.model_copy(update={"row": at}) for at in range(matrix(one, step).rows.size))
    return (one if one.row is not None else one.model_copy(update={"row": int(shown["token"]) - 1}),)


def _answers(say: Strings) -> str:
    return _of_steps(
        say, lambda _, at, said: f"{at}. " + (f"**{said['right']}**<br>" if "right" in said else "") + said["see"]
    )


def _of_steps(say: Strings, line: Callable[[Step, int, dict[str, str]], str], head: str = "") -> str:
    parts = []
    for n, lesson in enumerate(lessons()):
        goal = f"{lesson.goals[say.language]}\n\n{head}" if head else ""
        lines = []
        for at, step in enumerate(lesson.steps):
            model = step.model(say.language, ALLOWED.offered)
            lines.append(
                line(step.of(model).to(say.language), at + 1, _said(n, at, model, not_here(step.of(model)), say))
            )
        parts.append(f"### {n + 1}. {lesson.titles[say.language]}\n\n{goal}" + "\n".join(lines))
    return "\n\n".join(parts)


@cache
def _said(lesson: int, at: int, model: str, missing: str, say: Strings) -> dict[str, str]:
    """What a step says, with the numbers of its runs; of a model that is `missing`, how to get it."""
    step = lessons()[lesson].steps[at].of(model)
    if missing:
        how = say("lessons-not-here", model=model_label(missing, say), name=missing)
        return {"title": step.words[say.language].title, **dict.fromkeys(("ask", "believe", "see"), how)}
    numbers = told(step, say.language)
    words = {name: text.format_map(numbers) for name, text in step.words[say.language] if isinstance(text, str)}
    choices, answer = options(step, say.language), right(step)
    row, _, column = answer.partition(",")
    words["right"] = say("view-room-cell", row=row, column=column) if column else choices[int(answer)]
    between = "  " if max(map(len, choices), default=0) < WORD else "\n"
    words["choices"] = between.join(f"☐\N{NO-BREAK SPACE}{choice}" for choice in choices)
    return {name: _plain(text) for name, text in words.items()}


@cache
def _items(say: Strings) -> str:
    """Each item in both forms, the right option in bold."""
    lines = []
    for n, item in enumerate(short_test(), 1):
        for name, form in item.items():
            words = form.words[say.language]
            choices = (f"**{option}**" if at == form.right else option for at, option in enumerate(words.options))
            why = _plain(words.why.format_map(told(form, say.language)))
            lines.append(f"- {n}{name}. {words.ask} {' / '.join(choices)}<br>{why}")
    return "\n".join(lines)


def _plain(text: str) -> str:
    """A token such as <start> is no mark-up, but a new line is; d_k is written as books do."""
    return text.replace("<", "&lt;").replace("\n", "<br>").replace("d_k", "dₖ")
