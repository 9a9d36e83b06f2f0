"""Nothing a person sees is written in the code: it comes from the catalogues, in the person's language."""

import re
from pathlib import Path

import pytest

from tests.contract.message_use import ROOT, sources
from tests.contract.shown_script import script_findings, style_findings
from tests.contract.shown_text import Finding, python_findings

# Read in a terminal, in English, before there is a screen: the phrases it puts into an error that has an id.
# Read by operators at a terminal and by their monitors, and the answer to another host's request.
OPERATORS = ("settings.py", "start.py", "security.py", "metrics.py", "api/health.py")
TERMINAL = {f"app/{name}": "reads like a sentence" for name in OPERATORS}
PROGRAMMERS = {f"{error} raised without id=" for error in ("TypeError", "ValueError", "InputError", "AttnvizError")}
SHOWING = {
    ".py": sources(".py", folders=("app", "pages", "attnviz/views")),
    ".js": sources(".js", folders=("app", "attnviz/views")),
    ".css": sources(".css", folders=("app", "attnviz/views")),
}


@pytest.mark.parametrize(
    "path", [path for paths in SHOWING.values() for path in paths], ids=lambda path: path.relative_to(ROOT).as_posix()
)
def test_no_file_that_shows_something_holds_words_of_its_own(path: Path) -> None:
    name = path.relative_to(ROOT).as_posix()
    read = {".py": python_findings, ".js": script_findings, ".css": style_findings}[path.suffix]
    # attnviz/views is a library: these are for the programmer who called it wrongly
    findings = [f for f in read(path.read_text(encoding="utf-8")) if TERMINAL.get(name) != f.why]
    if name.startswith("attnviz/"):
        findings = [f for f in findings if f.why not in PROGRAMMERS]
    assert [f"{name}:{f.line} {f.text!r} ({f.why})" for f in findings] == []


def test_the_files_that_show_something_are_found() -> None:
    names = {path.relative_to(ROOT).as_posix() for paths in SHOWING.values() for path in paths}
    shown = {"app/dashboard.py", "pages/home.py", "attnviz/views/heads/view.js", "attnviz/views/heads/__init__.py"}
    assert shown <= names


def texts(findings: list[Finding]) -> list[str]:
    return [finding.text for finding in findings]


@pytest.mark.parametrize(
    "source",
    [
        'st.button("Show")',
        'st.sidebar.write("Tokens")',
        'bar.text_input(say("text-label"), placeholder="Type here", key="text")',
        'st.text_input(say("a-b"), help=f"Up to {n} tokens")',
        'st.Page(path, title="Heads")',
        'st.set_page_config(page_title="Explorer")',
        'label = "Show"\nst.button(label)',
        'st.button("Show" if ready else say("a-b"))',
        'st.tabs(["Lines", say("a-b")])',
        'st.html(f"<p>Hello {name}</p>")',
        'st.caption("{} tokens".format(n))',
        'st.write("共 " + n)',
        'st.column_config.TextColumn(label="Piece")',
        'raise ValueError("Too long")',
        'text = "The text is too long."',
        'st.image(mark, caption="Logo")',
        'parts.append(f"<b>Tokens</b>{n}")',
        "PAGE = \"<main aria-label='heads'>{body}</main>\"",
    ],
)
def test_words_written_into_python_are_found(source: str) -> None:
    assert texts(python_findings(source)) != []


@pytest.mark.parametrize(
    "source",
    [
        '"""A docstring with several words."""',
        'st.button(say("text-submit"), key="submit", type="primary")',
        "st.html(f\"<p class='note'>{escape(say(id))}</p>\")",
        'st.html("<style>html{font-size:20px}</style>")',
        "PAGE = \"<title>{title}</title><style>p { color: red }</style><main id='view'></main>\"",
        "cells = f\"<td class='number'>{n}</td>\"",
        'st.switch_page("pages/heads.py")',
        'st.html(HERE / "shell.css")',
        'log.error("The run of %s failed after a while", name)',
        'raise TooLong(f"{n} tokens; at most {limit}.", id="too-long", n=n, limit=limit)',
        '@field_validator("models")\ndef check(cls, value):\n    raise ValueError("no name")',
        'st.write("AttnViz")',
        'st.text("6 × 12")',
        'st.session_state["text"] = value',
        'text = "The server is busy."\nreturn Busy(text, id="busy")',
        "raise",
        'assert ready, "the runner was never started"',
    ],
)
def test_python_that_shows_no_words_of_its_own_is_left_alone(source: str) -> None:
    assert texts(python_findings(source)) == []


@pytest.mark.parametrize(
    "source",
    [
        "title.textContent = 'Heads';",
        "title.textContent = `Layer ${layer + 1}`;",
        "title.textContent = isOn ? say('view-a-b') : 'off';",
        "list.append('None');",
        'list.append(document.createTextNode("Nothing"));',
        "button.setAttribute('aria-label', 'Close');",
        "button.setAttribute('title', `${n} tokens`);",
        "el('button', {class: 'x', 'aria-label': 'Close'});",
        "el('button', {title: n ? 'Some' : say('view-a-b')});",
        "el('h2', {class: 'title'}, 'Keys');",
        "el('p', {}, el('b', {}, 'Keys'));",
        "svg('text', {x: 1}, 'query');",
        "button.title = 'Close';",
        'input.placeholder = "Type";',
        "node.ariaLabel = 'grid';",
        "context.fillText('weight', 4, 8);",
        "const hint = 'Hover a token to see more';",
        "const label = '权重';",
        "const facts = [token.special ? 'Special' : null];",
    ],
)
def test_words_written_into_scripts_are_found(source: str) -> None:
    assert texts(script_findings(source)) != []


@pytest.mark.parametrize(
    "source",
    [
        "else if (event.key === 'Escape') act.release(); switch (key) { case 'Enter': go(); }",
        "// el('p', {}, 'Keys')\n/* title.textContent = 'Heads' */",
        "title.textContent = say('view-heads-title');",
        "title.textContent = `${layer + 1}.${head + 1}`;",
        "if (side === 'key') line.replaceChildren(...(name === 'row' ? a : b));",
        "el('button', {type: 'button', class: 'tool quiet', 'aria-label': say('view-kit-keys')}, icon());",
        "el('span', {class: 'mark', 'aria-hidden': 'true'}, '·');",
        "node.setAttribute('class', 'large quiet');",
        "node.setAttribute(name, String(value));",
        "legend.append(el('span', {}, '0'), el('span', {}, '1'));",
        "const rows = [[['↑', '↓'], 'view-heads-keys-move'], [['Esc'], 'view-heads-keys-release']];",
        "throw new Error('The header of this payload is cut short.');",
        "console.error('attnviz could not draw the view', error);",
        "const isPart = /don't ['\"] title.textContent = 'x'/.test(text);",
        "list.replaceChildren(document.createElement('span'));",
        "context.font = '600 12px Inter'; context.fillText(token.text, 4, 8);",
    ],
)
def test_scripts_that_show_no_words_of_their_own_are_left_alone(source: str) -> None:
    assert texts(script_findings(source)) == []


def test_words_in_a_style_sheet_are_found() -> None:
    assert texts(style_findings(".a::before { content: 'Note'; }")) == ["Note"]
    assert texts(style_findings("/* content: 'Note' */ .a::before { content: '· '; content: attr(data-n) }")) == []


def test_a_finding_names_its_line() -> None:
    assert python_findings('import x\n\nst.write("Tokens")')[0].line == 3
    assert script_findings("\n\nlist.append('None');")[0].line == 3
    assert re.search("append", script_findings("list.append('None');")[0].why)
