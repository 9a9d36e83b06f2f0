"""The small pictures of Home that come after the page: one head without training, and one that forms."""

from functools import cache

from attnviz_app.api.heads import Head, Picture
from attnviz_app.api.route import post
from attnviz_app.compare.sides import small_baseline
from attnviz_app.serving import model_menu
from attnviz_app.serving.examples import pair_with, text_of
from attnviz_app.serving.runs import runs
from starlette.responses import Response

from attnviz import views
from attnviz.text import strings
from attnviz.training import bundled_models
from attnviz.training.head_formation import head_formation

TASK, EXAMPLE = "induction", "repeat-letters"  # the training that ships, and the text it is shown on
MOMENTS = 4  # of its checkpoints


def _pair(asked: Head) -> bytes | Response:
    """The head without training and as it is; of one that continues its text on two of them, if some are prepared."""
    shown = runs().trace(asked.model, asked.text)  # refuses what is not allowed
    untrained = small_baseline(asked.model)
    if untrained is not None:
        both = [runs().trace(untrained, asked.text), shown]
    else:
        texts = pair_with(model_menu.kind(asked.model), asked.text, strings("en"))
        both = [runs().trace(asked.model, text) for text in texts]
    if len({len(trace.tokens.source) for trace in both}) != 1:
        return Response(status_code=204)
    return views.home_pair(both[0], both[1], views.Pick(asked.layer, asked.head), shown=shown)


@cache
def _formed() -> bytes:
    """The head that does the task best at the end, on an example of the task, at even steps of its checkpoints."""
    formed = head_formation(bundled_models.FOLDER / TASK, text_of(EXAMPLE, strings("en")))
    layer, head = divmod(int(formed.scores[-1, -1].argmax()), formed.n_heads)
    last = len(formed.checkpoints) - 1
    moments = [round(last * at / (MOMENTS - 1)) for at in range(MOMENTS)]
    return views.home_formation(formed.weights[moments, layer, head])


ROUTES = (post("/home/pair", Head, _pair), post("/home/formation", Picture, lambda asked: _formed()))
