"""One HTML file that draws a view with the network off: its modules in one script, its data deflated in a data block.

The page forbids every request by its own Content-Security-Policy, so token text can load nothing and run nothing.
"""

import base64
import hashlib
import html
import re
import zlib
from functools import cache
from pathlib import Path

import numpy as np
from rjsmin import jsmin

from attnviz.views.pack import pack, unpack

FOLDER = Path(__file__).parent
_LISTED = re.compile(r"(\w+): \{\s*(?:page: '\w+',\s*)?styles: \[([^\]]*)\]")
STYLES = {  # of each view what the dashboard loads, and the page's own sheet
    name: (*re.findall(r"'\.\./([^']+)'", paths), "hosts/page.css")
    for name, paths in _LISTED.findall((FOLDER / "hosts/views.js").read_text(encoding="utf-8"))
}

_IMPORT = re.compile(r"^import\s*\{([^}]*)\}\s*from\s*'([^']+)';[ \t]*$", re.MULTILINE)
_EXPORT = re.compile(r"^export\s+(?=(?:async\s+)?(?:function\*?|const|let|class)\s+(\w+))", re.MULTILINE)
_LEFT_OVER = re.compile(r"^(?:import|export)\b", re.MULTILINE)

_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src {script_hash}; \
style-src {style_hash}; img-src data:; font-src data:; base-uri 'none'; form-action 'none'">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
<main id="view"></main>
<script type="text/plain" id="payload">{payload}</script>
<script type="module">{script}</script>
</body>
</html>
"""


def standalone(name: str, payload: bytes, title: str = "") -> str:
    """Return a page that shows one view.

    Args:
        name: the view's folder under views/.
        payload: framed by pack().
        title: the page's title; any text, it is escaped.
    """
    return page(name, title, base64.b64encode(zlib.compress(byte_shuffled(payload), 9)).decode())


def page(name: str, title: str = "", payload: str = "") -> str:
    """The page around a payload; without one, for whoever puts it there: see hosts/page_file.js."""
    script, style = bundle(name), "\n".join(_tight(_read(path)) for path in STYLES[name])
    return _PAGE.format(
        title=html.escape("⏎".join(title.splitlines())), style=style, style_hash=_source_hash(style), script=script,
        script_hash=_source_hash(script), payload=payload,
    )  # fmt: skip


def byte_shuffled(payload: bytes) -> bytes:
    """The same frame with each array's bytes shuffled: all first bytes, then all second ones, and so on.

    Bytes of one place are alike, so that deflate packs them better; `hosts/byte_shuffle.js` puts them back exactly.
    """
    header, arrays = unpack(payload)
    named = {name: value for name, value in header.items() if name not in ("v", "arrays")}
    shuffled = {
        name: array.reshape(-1, 1).view(np.uint8).T.copy().reshape(-1).view(array.dtype).reshape(array.shape)
        for name, array in arrays.items()
        if array.size
    }
    return pack(named, arrays | shuffled)


@cache
def bundle(name: str) -> str:
    """Return the view's modules and its page host as one module: each becomes a function that returns its exports.

    Raises:
        ValueError: a module with an import or export of another form than `import {a, b} from './c.js';`.
    """
    done: dict[str, str] = {}
    host, view = _module("hosts/page.js", done), _module(f"{name}/view.js", done)
    script = jsmin("\n".join([*done.values(), f"{host}.show({view}.mount);"]))
    assert "</script" not in script.lower(), "the script would end early inside its own element"
    return script


def _module(path: str, done: dict[str, str]) -> str:
    """Inline a module after those it imports; its variable is its number, as paths would take kilobytes of a file."""
    if path in done:
        return f"_{[*done].index(path)}"
    source = _read(path)
    imports = [(names, _resolve(path, target)) for names, target in _IMPORT.findall(source)]
    short = [(names.replace(" as ", ":"), _module(target, done)) for names, target in imports]
    heads = [f"const {{{names}}} = {module};" for names, module in short]
    exported = _EXPORT.findall(source)
    body = _EXPORT.sub("", _IMPORT.sub("", source))
    if left := _LEFT_OVER.search(body):
        line = body[left.start() :].splitlines()[0]
        raise ValueError(f"{path}: {line!r} cannot be inlined. Use `import {{a, b}} from './c.js';` and named exports.")
    variable = f"_{len(done)}"
    returned = f"return {{{', '.join(exported)}}};"
    done[path] = "\n".join([f"const {variable} = (() => {{", *heads, body, returned, "})();"])
    return variable


def _tight(style: str) -> str:
    """A style sheet with no comments, no white space around signs and line ends, and no semicolon before a brace."""
    bare = re.sub(r"/\*.*?\*/", "", style, flags=re.DOTALL).replace("var(--k) * ", "var(--k)*")
    return re.sub(r"\s*([{};,\n])\s*|(:)\s+", r"\1\2", bare).replace(";}", "}").strip()


def _resolve(path: str, target: str) -> str:
    return (FOLDER / path).parent.joinpath(target).resolve().relative_to(FOLDER.resolve()).as_posix()


def _read(path: str) -> str:
    return (FOLDER / path).read_text(encoding="utf-8")


def _source_hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
