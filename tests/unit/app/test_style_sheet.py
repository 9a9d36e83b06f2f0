"""What a browser is sent for a page: the style sheet in its first bytes."""

from attnviz_app.shell.style_sheet import EARLY, ROOT, STYLE, StyleSheet
from starlette.applications import Starlette
from starlette.responses import Response
from starlette.routing import Route
from starlette.testclient import TestClient

PAGE = b"<html><head></head><body>" + ROOT + b"</div></body></html>"


def answer(request):
    is_known = "if-none-match" in request.headers
    return Response(PAGE, 304 if is_known else 200, {"etag": "x"}, "text/html")


def test_a_page_has_it_before_what_is_drawn_and_nothing_else_has():
    client = TestClient(StyleSheet(Starlette(routes=[Route("/", answer)])))
    page = client.get("/", headers={"accept": "text/html", "if-none-match": "x"})
    assert page.status_code == 200 and "etag" not in page.headers
    assert page.content == PAGE.replace(ROOT, STYLE + ROOT) and b"--av-gutter" in STYLE
    projector = client.get("/", headers={"accept": "text/html"}, params={"size": "projector"})
    assert projector.content == PAGE.replace(ROOT, STYLE + EARLY + ROOT)
    assert b"<" not in STYLE.removeprefix(b"<style>").removesuffix(b"</style>")
    assert client.get("/", headers={"accept": "text/css"}).content == PAGE
