"""The routes as main.py mounts them, and what they answer."""

from typing import Any

import pytest
from attnviz_app.api import compare, files, heads, home, step
from attnviz_app.api.route import app_of
from starlette.applications import Starlette
from starlette.routing import Mount
from starlette.testclient import TestClient

from attnviz.views.pack import unpack


@pytest.fixture(scope="session")
def client() -> TestClient:
    routes = [*heads.ROUTES, *compare.ROUTES, *home.ROUTES, *step.ROUTES, *files.ROUTES]
    mounted = Starlette(routes=[Mount("/api", app_of(routes))])
    return TestClient(mounted, "http://testserver/api", raise_server_exceptions=False)


def asked(client: TestClient, path: str, **body: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """Header and arrays of what a route answers."""
    response = client.post(path, json=body)
    assert response.status_code == 200, response.text
    return unpack(response.content)
