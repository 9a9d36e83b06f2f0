"""The small pictures of Home that come after the page: one head without training, and one that forms."""

from functools import cache

from attnviz_app.api.heads import Head, Picture
from attnviz_app.api.route import post
from attnviz_app.compare.sides import baseline
from attnviz_app.serving.examples import text_of
from attnviz_app.serving.runs import runs
from starlette.responses import Response

from attnviz import views
from attnviz.text import strings
from attnviz.training import bundled_models
from attnviz.training.head_formation import head_formation

TASK, EXAMPLE = "induction", "repeat-letters"  # the training that ships, and the text it is shown on
MOMENTS = 4  # of its checkpoints


def _pair(asked: Head) -> bytes | Response:
    runs().model(asked.model)  # refuses what is not allowed
    untrained = baseline(asked.model)
    if untrained is None:
        return Response(status_code=204)
    trained = runs().trace(asked.model, asked.text)
    return views.home_pair(trained, runs().trace(untrained, asked.text), views.Pick(asked.layer, asked.head))


@cache
def _formed() -> bytes:
    """The head that does the task best at the end, on an example of the task, at even steps of its checkpoints."""
    formed = head_formation(bundled_models.FOLDER / TASK, text_of(EXAMPLE, strings("en")))
    layer, head = divmod(int(formed.scores[-1, -1].argmax()), formed.n_heads)
    last = len(formed.checkpoints) - 1
    moments = [round(last * at / (MOMENTS - 1)) for at in range(MOMENTS)]
    return views.home_formation(formed.weights[moments, layer, head])


ROUTES = (post("/home/pair", Head, _pair), post("/home/formation", Picture, lambda asked: _formed()))
