"""The models that may be asked for here, those in a person's menu, and the texts prepared for each."""

from attnviz_app.host import session, visitor
from attnviz_app.jobs.training_request import RUN
from attnviz_app.jobs.trainings import trainings
from attnviz_app.serving import long_texts
from attnviz_app.serving.examples import CONTINUES, ORDINARY, PICKS, Examples, examples_of, text_of
from attnviz_app.serving.opened_models import opened_models
from attnviz_app.serving.runs import runs

from attnviz.text import Strings
from attnviz.trace.model_protocol import WritesOn
from attnviz.training import TASKS
from attnviz.training.bundled_models import IN_SCRIPT

SPEAKS = {"zh-CN": "poems-zh", "zh-TW": "poems-zh-tw"}  # the language model of a reader's own language and script
UNTRAINED = "untrained-"  # how the names of models without training begin
OWN_RUNS = 6  # trained models of this person that stand in the menu
_seen: session.Value[list[str]] = session.Value("seen-runs", list)


class Allowed:
    """What a link may name, as `name in ALLOWED`: the operator's models, those that the person of this computer opened,
    and those trained here and still kept. A link of a stranger opens no other file and asks no hub."""

    def __contains__(self, model: object) -> bool:
        return model in self.names or (isinstance(model, str) and trainings().store.has(model))

    @property
    def names(self) -> tuple[str, ...]:
        """Those offered, and those for texts beyond what these read."""
        return (*self.offered, *long_texts.MODELS)

    @property
    def offered(self) -> tuple[str, ...]:
        """The operator's, in the operator's order, then those opened here, the newest first."""
        return tuple(dict.fromkeys((*runs().offered, *opened_models().names)))


ALLOWED = Allowed()


def task(model: str) -> str | None:
    """The task a model was trained for here or by us; None for a model of ordinary text."""
    ask = trainings().store.ask(model)
    if ask:
        return ask.task
    name, _ = IN_SCRIPT.get(model, (model, ""))
    return name if name in TASKS else None


def training_of(model: str) -> str:
    """The training that Home leads to: of a poet its own, of any other model the shortest."""
    trained = task(model)
    return trained if trained is not None and trained in SPEAKS.values() else "induction"


def kind(model: str) -> str | None:
    """What texts suit a model: those of its task, of one that continues ordinary text, or None, which is sentences.

    Of a model that is not loaded yet nothing is read: one without measured sentences is taken for one that continues
    its text, as most that people have are.
    """
    of_task = task(model)
    if of_task is not None or model.startswith(UNTRAINED):
        return of_task
    loaded = runs().loaded(model)
    if loaded is None:
        return None if PICKS.get(model, {}).keys() & ORDINARY[None] else CONTINUES
    return CONTINUES if isinstance(loaded, WritesOn) and loaded.can_write_on else None


def is_language_model(model: str) -> bool:
    """Whether it goes on with ordinary writing."""
    return kind(model) == CONTINUES or model in SPEAKS.values()


def models(*shown: str) -> tuple[str, ...]:
    """The models of the menu: the operator's, then those this person trained or opened, newest first."""
    for model in shown:
        if RUN.fullmatch(model) and model not in _seen.get():
            saw(model)
    opened = (model for model in _seen.get() if model in ALLOWED)
    return tuple(dict.fromkeys((first(), *ALLOWED.names, *opened)))


def first() -> str:
    """The model that pages open on: the one of this person's language, else the operator's first."""
    offered = runs().offered
    poet = SPEAKS.get(visitor.language(), "")
    return poet if poet in offered else offered[0]


def saw(run: str) -> None:
    _seen.set([run, *(other for other in _seen.get() if other != run)][:OWN_RUNS])


def examples(model: str) -> Examples:
    """The prepared texts of a model, each with the head and the token that show what it is about."""
    return examples_of(kind(model), model)


def is_example(text: str, model: str, say: Strings) -> bool:
    """Whether a text is one of those prepared for a model."""
    return any(text == text_of(name, say) for name in examples_of(kind(model)))
