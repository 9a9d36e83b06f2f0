"""Nothing a person sees is written in the code: it comes from the catalogues, in the person's language.

What must be left alone is all the code there is; the samples below are what must be found.
"""

from pathlib import Path

import pytest

from tests.contract.message_use import ROOT, sources
from tests.contract.shown_script import script_findings, style_findings
from tests.contract.shown_text import Finding, python_findings

# Read by operators at a terminal and by their monitors, and the answer to another host's request.
OPERATORS = ("settings.py", "start.py", "security.py", "metrics.py", "api/health.py")
TERMINAL = {(f"app/{name}", "reads like a sentence") for name in OPERATORS}
FOR_PYDANTIC = {(f"app/{name}", "ValueError raised without id=") for name in ("settings.py", "api/rooms.py")}
MADE = {"attnviz/views/hosts/properties.js"}  # of the table of properties, whose names are not shown
FONTS = {("attnviz/views/kit/picture_file.js", "reads like a sentence")}  # the names that systems have for them
LEFT_ALONE = TERMINAL | FOR_PYDANTIC | FONTS
PROGRAMMERS = {f"{error} raised without id=" for error in ("TypeError", "ValueError")}
SHOWING = {
    ".py": sources(".py", folders=("app", "pages", "attnviz/views")),
    ".js": [
        path for path in sources(".js", folders=("app", "attnviz/views")) if str(path.relative_to(ROOT)) not in MADE
    ],
    ".css": sources(".css", folders=("app", "attnviz/views")),
}


@pytest.mark.parametrize(
    "path", [path for paths in SHOWING.values() for path in paths], ids=lambda path: path.relative_to(ROOT).as_posix()
)
def test_no_file_that_shows_something_holds_words_of_its_own(path: Path) -> None:
    name = path.relative_to(ROOT).as_posix()
    read = {".py": python_findings, ".js": script_findings, ".css": style_findings}[path.suffix]
    # attnviz/views is a library: these are for the programmer who called it wrongly
    findings = [f for f in read(path.read_text(encoding="utf-8")) if (name, f.why) not in LEFT_ALONE]
    if name.startswith("attnviz/"):
        findings = [f for f in findings if f.why not in PROGRAMMERS]
    assert [f"{name}:{f.line} {f.text!r} ({f.why})" for f in findings] == []


def test_the_files_that_show_something_are_found() -> None:
    names = {path.relative_to(ROOT).as_posix() for paths in SHOWING.values() for path in paths}
    shown = {"app/dashboard.py", "pages/home.py", "attnviz/views/heads/view.js", "attnviz/views/heads/__init__.py"}
    assert shown <= names


@pytest.mark.parametrize(("find", "source"), [
    *((python_findings, source) for source in (
        'st.button("show")',
        'bar.text_input(say("text-label"), placeholder="type here", key="text")',
        'st.Page(path, title="heads")',
        'label = "show"\nst.button(label)',
        'st.button("show" if ready else say("a-b"))',
        'st.tabs(["lines", say("a-b")])',
        'st.html(f"<p>Hello {name}</p>")',
        'st.caption("{} tokens".format(n))',
        'st.write("共 " + n)',
        'st.column_config.TextColumn(label="piece")',
        'raise ValueError("Too long")',
        'text = "The text is too long."',
        'parts.append(f"<b>Tokens</b>{n}")',
        "PAGE = \"<main aria-label='heads'>{body}</main>\"",
    )),
    *((script_findings, source) for source in (
        "title.textContent = 'heads';",
        "title.textContent = `layer ${layer + 1}`;",
        "title.textContent = isOn ? say('view-a-b') : 'off';",
        "list.append('none');",
        'list.append(document.createTextNode("nothing"));',
        "button.setAttribute('aria-label', 'close');",
        "el('button', {class: 'x', 'aria-label': 'close'});",
        "el('button', {title: n ? 'some' : say('view-a-b')});",
        "el('h2', {class: 'title'}, 'keys');",
        "el('p', {}, el('b', {}, 'keys'));",
        "svg('text', {x: 1}, 'query');",
        "button.title = 'close';",
        "node.ariaLabel = 'grid';",
        "context.fillText('weight', 4, 8);",
        "const hint = 'Hover a token to see more';",
        "const label = '权重';",
        "const facts = [token.special ? 'Special' : null];",
    )),
])  # fmt: skip
def test_words_written_into_python_and_scripts_are_found(find, source: str) -> None:
    assert find(source) != []


def test_words_in_a_style_sheet_are_found() -> None:
    assert [finding.text for finding in style_findings(".a::before { content: 'Note'; }")] == ["Note"]
    assert style_findings("/* content: 'Note' */ .a::before { content: '· '; content: attr(data-n) }") == []


def test_a_finding_names_its_line() -> None:
    assert python_findings('import x\n\nst.write("Tokens")')[0].line == 3
    assert script_findings("\n\nlist.append('None');")[0] == Finding(3, "None", "append()")
