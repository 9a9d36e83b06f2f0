"""What of Home comes after its first picture: the story of one head, and small pictures of what other pages show."""

from functools import cache

from attnviz_app.api.heads import Head, Index, Picture
from attnviz_app.api.route import post
from attnviz_app.compare.sides import small_baseline
from attnviz_app.heads.looks.effect import measured, position_of
from attnviz_app.serving import model_menu
from attnviz_app.serving.examples import examples_of, pair_with, text_of
from attnviz_app.serving.gate import Busy
from attnviz_app.serving.runs import runs
from starlette.responses import Response

from attnviz import views
from attnviz.analysis.circuits.missing_word import MissingWord, missing_word
from attnviz.analysis.heads.effect import Effects
from attnviz.core.errors import AttnvizError
from attnviz.text import strings
from attnviz.trace.edits import HeadEdit
from attnviz.trace.trace import Trace
from attnviz.training import bundled_models
from attnviz.training.head_formation import head_formation
from attnviz.views.heads import revision_of
from attnviz.views.heads.attention_parts import sites_of

MOMENTS = 4  # of its checkpoints
MOST_TOKENS = 256  # of a text whose word is taken apart here


class Told(Head):
    """A head, and the row that its story is about, of the tokens that are shown."""

    token: Index


def _story(asked: Told) -> bytes:
    trace = asked.trace()
    key = ("home-story", revision_of(trace), asked.model, asked.lang, asked.layer, asked.head, asked.token)
    return runs().payloads.get(key, lambda: _made(asked, trace))


def _made(asked: Told, trace: Trace) -> bytes:
    row = asked.token + views.home_window(trace).start
    pick = views.Pick(asked.layer, asked.head, min(row, len(trace.tokens.source) - 1))
    try:
        return views.home_story(trace, pick, _told(asked, trace, pick))
    except Busy:
        raise
    except AttnvizError as problem:
        return views.home_story(trace, pick, asked.say.error(problem))


def _told(asked: Told, trace: Trace, pick: views.Pick) -> MissingWord | Effects | str:
    """What the head does to what is predicted, as far as the story of this model says it."""
    steps = views.home_steps(trace, is_trained=not asked.model.startswith(model_menu.UNTRAINED))
    if len(trace.tokens.source) > MOST_TOKENS:
        return asked.say("home-story-long", n=MOST_TOKENS)
    if "adds" in steps:
        with runs().gate.entered():
            return missing_word(trace, since=views.home_window(trace).start)
    if "off" not in steps:
        return ""
    site = sites_of(trace, asked.part)[pick.layer]
    return measured(trace, asked.model, HeadEdit(site.key, pick.head), position_of(trace, site, pick.token))


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
def _formed(task: str) -> bytes:
    """The head that does the task best at the end, on an example of the task, at even steps of its checkpoints."""
    example = next(iter(examples_of(task)))
    formed = head_formation(bundled_models.FOLDER / task, text_of(example, strings("en")))
    layer, head = divmod(int(formed.scores[-1, -1].argmax()), formed.n_heads)
    last = len(formed.checkpoints) - 1
    moments = sorted({round(last * at / (MOMENTS - 1)) for at in range(MOMENTS)})
    return views.home_formation(formed.weights[moments, layer, head])


ROUTES = (
    post("/home/story", Told, _story),
    post("/home/pair", Head, _pair),
    post("/home/formation", Picture, lambda asked: _formed(model_menu.training_of(asked.model))),
)
