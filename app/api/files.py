"""What a picture is taken away as beside itself: the empty page of a view for a file, and a run as a trace."""

from dataclasses import replace

from attnviz_app.api.compare import Sides
from attnviz_app.api.heads import Picture
from attnviz_app.api.route import post
from attnviz_app.api.step import Picture as Steps
from attnviz_app.serving.trace_files import is_file, traced
from attnviz_app.step.picture import shown
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from attnviz import views
from attnviz.views.html import STYLES, page

Facts = dict[str, str | list[str]]  # what a file says of the picture it was saved from


class SavedPicture(Picture):
    """A run of the pages that show one text, or one side of Compare."""

    facts: Facts


class SavedSteps(Steps):
    """The run of Step through."""

    facts: Facts


def _trace(asked: SavedPicture) -> bytes:
    trace = traced(asked.model, asked.text) if is_file(asked.model) else asked.trace()
    return replace(trace, facts=asked.facts).to_bytes()


def _step(asked: SavedSteps) -> bytes:
    return replace(shown(asked.question, asked.place).trace, facts=asked.facts).to_bytes()


async def _page(request: Request) -> Response:
    view = request.path_params["view"]
    if view not in STYLES:
        raise HTTPException(404)
    return HTMLResponse(page(view), media_type="text/plain")


ROUTES = (
    post("/trace", SavedPicture, _trace),
    post("/step/trace", SavedSteps, _step),
    post("/heads/rest", Picture, lambda asked: views.heads_rest(asked.trace(), part=asked.part)),
    post("/compare/rest", Sides, lambda asked: views.compare_rest(asked.compared())),
    Route("/page/{view}", _page),
)
