"""What a browser is sent: the headers of every response, what a page begins with, and modules that it may keep."""

import base64
import hashlib
import re
from pathlib import Path

import pytest
from attnviz_app.security import KnownHosts, SecurityHeaders, names_of, policy
from attnviz_app.shell import kept_modules, style_sheet
from attnviz_app.shell.kept_modules import IMPORT_MAP, KEPT, SERVED, STAMP, KeptModules
from attnviz_app.shell.style_sheet import EARLY, ROOT, STYLE, StyleSheet
from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.testclient import TestClient, WebSocketDenialResponse


def test_no_page_may_run_text_as_code_or_load_from_elsewhere():
    rules = dict(rule.split(" ", 1) for rule in policy(()).split("; "))
    assert rules["default-src"] == "'self'" and rules["object-src"] == "'none'"
    assert "'unsafe-eval'" not in policy(()) and "'unsafe-inline'" not in rules["script-src"]
    assert "http" not in policy(()) and "*" not in policy(())


@pytest.mark.parametrize("path", ["/", "/missing", "/fails"])
def test_every_response_has_them(path):
    def fails(request):
        raise RuntimeError

    routes = [Route("/", lambda request: PlainTextResponse("here")), Route("/fails", fails)]
    client = TestClient(SecurityHeaders(Starlette(routes=routes)), raise_server_exceptions=False)
    headers = client.get(path).headers
    assert headers["x-content-type-options"] == "nosniff" and headers["referrer-policy"] == "same-origin"
    assert headers["x-frame-options"] == "SAMEORIGIN" and "frame-ancestors 'self'" in headers["content-security-policy"]


@pytest.mark.parametrize("path", ["/open", "/closed", "/missing", "/stranger"])
def test_the_answer_to_a_websocket_has_them_too(path):
    async def opens(socket):
        await socket.accept()

    async def closes(socket):
        await socket.close()

    routes = [WebSocketRoute("/open", opens), WebSocketRoute("/closed", closes)]
    client = TestClient(SecurityHeaders(KnownHosts(Starlette(routes=routes), ("localhost",))))
    host = "rebound.example" if path == "/stranger" else "localhost"
    if path == "/open":
        with client.websocket_connect(path, headers={"host": host}) as socket:
            headers = Headers(raw=socket.extra_headers)
    else:
        with pytest.raises(WebSocketDenialResponse) as refused, client.websocket_connect(path, headers={"host": host}):
            pass
        assert refused.value.status_code == 403
        headers = refused.value.headers
    assert headers["x-content-type-options"] == "nosniff" and "frame-ancestors" in headers["content-security-policy"]


def test_other_sites_may_frame_it_where_the_operator_names_them():
    sites = ("https://school.example", "https://*.uni.example:8443")
    headers = TestClient(SecurityHeaders(Starlette(), framed_by=sites)).get("/").headers
    assert headers["content-security-policy"].endswith(f"frame-ancestors 'self' {' '.join(sites)}")
    assert "x-frame-options" not in headers


@pytest.mark.parametrize(("address", "allowed", "host", "origin", "answers"), [
    ("127.0.0.1", [], "localhost:8501", None, True),
    ("127.0.0.1", [], "[::1]:8501", "http://[::1]:8501", True),
    ("127.0.0.1", [], "rebound.example", None, False),
    ("127.0.0.1", ["school.example"], "School.example.", "https://School.example.", True),
    ("0.0.0.0", [], "any.example", "https://any.example", True),
    ("0.0.0.0", [], "any.example", "https://other.example", False),
    ("0.0.0.0", ["*.school.example"], "a.school.example", None, True),
    ("0.0.0.0", ["*.school.example"], "school.example.evil", None, False),
    ("0.0.0.0", ["school.example"], "127.0.0.1:8501", "https://school.example", True),  # a proxy changed the host
    ("0.0.0.0", ["school.example"], "school.example", "null", False),
    ("0.0.0.0", ["school.example"], "school.example", "http://[::1", False),
    ("0.0.0.0", ["127.0.0.1"], "127.0.0.1:8501", "http://127.0.0.1.evil.example:8501", False),
    ("127.0.0.1", [], "127.0.0.1:8501", "http://127.0.0.1.evil.example:8501", False),
    ("127.0.0.1", [], "127.0.0.1:8501", "//", False),
])  # fmt: skip
def test_hosts_and_origins_are_those_it_listens_for(address, allowed, host, origin, answers):
    routes = [Route("/", lambda request: PlainTextResponse(str(request.headers.get("origin"))))]
    client = TestClient(KnownHosts(Starlette(routes=routes), names_of(address, allowed)))
    response = client.get("/", headers={"host": host, **({"origin": origin} if origin else {})})
    assert (response.status_code, response.text == "None") == ((200, True) if answers else (403, False))


def test_a_page_has_its_style_sheet_before_what_is_drawn_and_nothing_else_has():
    shell = b"<html><head></head><body>" + ROOT + b"</div></body></html>"

    def bare(page: bytes) -> bytes:
        return re.sub(rb'<script type="importmap">.*?</script>', b"", page)

    def answer(request):
        is_known = "if-none-match" in request.headers
        return Response(shell, 304 if is_known else 200, {"etag": "x"}, "text/html")

    client = TestClient(StyleSheet(Starlette(routes=[Route("/", answer)])))
    page = client.get("/", headers={"accept": "text/html", "if-none-match": "x"})
    assert page.status_code == 200 and "etag" not in page.headers
    assert bare(page.content) == shell.replace(ROOT, STYLE + ROOT) and b"--av-gutter" in STYLE
    projector = client.get("/", headers={"accept": "text/html"}, params={"size": "projector"})
    assert bare(projector.content) == shell.replace(ROOT, STYLE + EARLY + ROOT)
    assert b"<" not in STYLE.removeprefix(b"<style>").removesuffix(b"</style>")
    assert client.get("/", headers={"accept": "text/css"}).content == shell


def test_modules_are_kept_under_the_name_of_what_they_hold_and_of_another_day_are_not():
    def answer(request):
        return PlainTextResponse(request.url.path, 404 if request.path_params["path"] == "missing.js" else 200)

    client = TestClient(KeptModules(Starlette(routes=[Route(f"/base/{SERVED}{{path:path}}", answer)])))
    for asked, said in (
        (f"@{STAMP}/attnviz.view/kit/dom.js", KEPT),
        (f"@{STAMP}/missing.js", "no-store"),
        ("@0123456789abcdef/attnviz.view/kit/dom.js", "no-store"),  # of the page of another server, before an upgrade
        ("attnviz.view/kit/dom.js", None),
    ):
        response = client.get(f"/base/{SERVED}{asked}")
        assert response.text == f"/base/{SERVED}{re.sub('^@[^/]*/', '', asked)}"
        assert response.headers.get("cache-control") == said, asked


def test_a_page_leads_to_kept_modules_before_any_other_script_unless_a_file_was_changed(tmp_path, monkeypatch):
    page = f"<html><head><script type='module' src='./a.js'></script></head><body>{ROOT.decode()}</div></body></html>"
    routes = [Route("/", lambda request: Response(page, media_type="text/html"))]
    client = TestClient(StyleSheet(Starlette(routes=routes)), headers={"accept": "text/html"})
    (leads,) = re.findall(r'<head><script type="importmap">(.*?)</script><script', client.get("/").text)
    assert leads == IMPORT_MAP
    digest = base64.b64encode(hashlib.sha256(leads.encode()).digest()).decode()
    assert f"'sha256-{digest}'" in policy(())
    (tmp_path / "one.js").write_text("export const one = 1;")
    monkeypatch.setattr(kept_modules, "FOLDER", tmp_path)  # another file than those that the server began with
    assert "importmap" not in client.get("/").text


def split(text: str, at: str) -> list[str]:
    """A text by signs that stand in no brackets."""
    found, depth = [""], 0
    for sign in text:
        depth += (sign in "([") - (sign in ")]")
        if depth == 0 and sign in at:
            found.append("")
        else:
            found[-1] += sign
    return [part.strip() for part in found if part.strip()]


def test_where_an_ancestor_decides_by_what_it_holds_a_rule_names_what_it_is_for():
    """With any element there, the browser makes all of a page's styles anew whenever anything on it changes."""
    sheet = re.sub(r"/\*.*?\*/", "", Path(style_sheet.__file__).with_name("shell.css").read_text("utf-8"), flags=re.S)
    rules = re.findall(r"([^{};]+)\{", sheet.partition("@media print")[0])
    selectors = [split(selector, " >+~") for rule in rules if "@" not in rule for selector in split(rule, ",")]
    assert sum(any(":has(" in part for part in above) for *above, _ in selectors) > 20
    for *above, own in selectors:
        is_any = re.fullmatch(r"\*|:(?:has|not)\(.*\)", own)
        assert not (is_any and any(":has(" in part for part in above)), (*above, own)
