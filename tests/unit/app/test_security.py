"""The headers of every response."""

import pytest
from attnviz_app.security import SecurityHeaders, policy
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.testclient import TestClient


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


def test_other_sites_may_frame_it_where_the_operator_names_them():
    sites = ("https://school.example", "https://*.uni.example:8443")
    headers = TestClient(SecurityHeaders(Starlette(), framed_by=sites)).get("/").headers
    assert headers["content-security-policy"].endswith(f"frame-ancestors 'self' {' '.join(sites)}")
    assert "x-frame-options" not in headers
