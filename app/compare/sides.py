"""What may stand on a side of the Compare page: every model of the menus, its weights in our blocks, its shape without
training, what a training left on the way, and the trace files that this person opened.
"""

from contextlib import suppress

from attnviz_app.compare import files
from attnviz_app.jobs.queue import Measured
from attnviz_app.serving import checkpoints, long_texts, model_menu
from attnviz_app.serving.examples import CONTINUES
from attnviz_app.serving.runs import runs
from attnviz_app.serving.similarity import similarities
from attnviz_app.serving.trace_files import is_file
from attnviz_app.serving.training_names import model_label

from attnviz.analysis.compare import Similarity
from attnviz.catalog import model_type
from attnviz.core.errors import AttnvizError, InputError
from attnviz.models.support.hf_names import BY_MODEL_TYPE
from attnviz.scratch.variants import OURS, UNTRAINED, is_variant, of_variant
from attnviz.text import Strings


def sides() -> tuple[str, ...]:
    """The menu of a side: the models, the variants of those that are pretrained, and open files."""
    names = models()
    variants = (kind + name for name in names if has_variants(name) for kind in (OURS, UNTRAINED))
    return (*names, *variants, *files.sides())


def models(*named: str) -> tuple[str, ...]:
    """The models of the menus; one trained here that a link names is in them from then on."""
    return tuple(name for name in model_menu.models(*named) if name not in long_texts.MODELS)


def is_known(name: str) -> bool:
    """Whether a link may name it. An open file is known to its own session alone."""
    at, model, names = checkpoints.parsed(name), of_variant(name), models(own_name(name))
    if is_variant(name) and model in names and not has_variants(model):
        with suppress(AttnvizError):  # the page that shows it says why
            runs().model(model)  # where it runs elsewhere, only then it is known
    return name in sides() if at is None else at[1] in names and at[0] in steps(at[1])


def own_name(name: str) -> str:
    """The model that a side is made of: that of a variant or of a checkpoint."""
    return of_variant(checkpoints.model_of(name))


def steps(name: str) -> tuple[int, ...]:
    """The steps of its training at which a model of the menu can be looked at; its last is the model itself."""
    return () if is_variant(name) or is_file(name) else checkpoints.steps_of(name, runs().store)


def baseline(name: str) -> str | None:
    """The same shape without training; None where there is none."""
    if has_variants(name):
        return UNTRAINED + name
    return checkpoints.named(0, name) if 0 in steps(name) else None


def earliest(name: str) -> str | None:
    """The same model at the first of the steps that its training left; None where it left none."""
    return next((checkpoints.named(step, name) for step in steps(name)), None)


def small_baseline(name: str) -> str | None:
    """The baseline for a small picture, for which no second language model is made."""
    return None if model_menu.kind(name) == CONTINUES else baseline(name)


def has_variants(name: str) -> bool:
    """Whether a model has variants: it was not trained here or made up, and its weights go into our blocks. That is the
    same before it is loaded; of one that runs elsewhere it is then known of sentence encoders alone.
    """
    if name not in model_menu.ALLOWED.offered or model_menu.task(name) is not None or steps(name):
        return False
    loaded = runs().loaded(name)
    family = model_type(name) if loaded is None else loaded.card.family
    return family in BY_MODEL_TYPE if family else model_menu.kind(name) is None


def is_surveyed(name: str) -> bool:
    """Whether the heads of a side are measured over sentences: those of models as they are."""
    return not (is_variant(name) or is_file(name) or checkpoints.parsed(name))


def side_label(name: str, say: Strings) -> str:
    at, file = checkpoints.parsed(name), files.find(name)
    if at is not None:
        return say("compare-side-step", model=model_label(at[1], say), step=at[0])
    if is_file(name):
        return say("compare-side-file", file="" if file is None else file.called)
    if not is_variant(name):
        return model_label(name, say)
    kind, _, model = name.partition(":")
    return say(f"compare-side-{kind}", model=model_label(model, say))


def first_sides() -> tuple[str, str]:
    """What stands there before anybody chose: a model that continues its text beside itself, for two texts; another
    pretrained one beside its own shape without training; else the first two models.
    """
    names = models()
    language_model = next((name for name in names if model_menu.is_language_model(name)), None)
    if language_model is not None and language_model == names[0]:
        return language_model, language_model
    first = next((name for name in names if has_variants(name)), None)
    if first is not None:
        return first, UNTRAINED + first
    return names[0], names[min(1, len(names) - 1)]


def text_of_file(name: str) -> str | None:
    """The text that a trace file was made of; None for a model, which reads any."""
    file = files.find(name)
    return None if file is None else file.trace.tokens.source.written


def over_sentences(a: str, b: str) -> Measured[Similarity]:
    """How like the heads of two sides are over sentences that both read."""
    if is_file(a) or is_file(b):
        return Measured(error=InputError(
            id="trace-one-text",
        ))  # fmt: skip
    return similarities().of(a, b)
