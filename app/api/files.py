"""What a picture is taken away as beside itself: the empty page of a view for a file, and a run as a trace."""

from attnviz_app.api.compare import Sides
from attnviz_app.api.heads import Picture
from attnviz_app.api.route import post
from attnviz_app.api.step import Picture as Steps
from attnviz_app.serving.runs import runs
from attnviz_app.serving.trace_files import PREFIX, traced
from attnviz_app.step.picture import shown
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from attnviz import views
from attnviz.analysis.compare import compare
from attnviz.views.html import STYLES, page


def _trace(asked: Picture) -> bytes:
    if asked.model.startswith(PREFIX):
        return traced(asked.model, asked.text).to_bytes()
    return runs().trace(asked.model, asked.text, asked.target).to_bytes()


def _step(asked: Steps) -> bytes:
    return shown(asked.question, asked.place).trace.to_bytes()


def _heads(asked: Picture) -> bytes:
    return views.heads_rest(asked.trace(), part=asked.part)


def _compare(asked: Sides) -> bytes:
    return views.compare_rest(compare(traced(asked.a, asked.text), traced(asked.b, asked.other or asked.text)))


async def _page(request: Request) -> Response:
    view = request.path_params["view"]
    if view not in STYLES:
        raise HTTPException(404)
    return HTMLResponse(page(view), media_type="text/plain")


ROUTES = (
    post("/trace", Picture, _trace),
    post("/step/trace", Steps, _step),
    post("/heads/rest", Picture, _heads),
    post("/compare/rest", Sides, _compare),
    Route("/page/{view}", _page),
)
