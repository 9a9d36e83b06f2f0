"""What a training is called: its task, and what was changed in it."""

from collections.abc import Mapping
from pathlib import Path

from attnviz_app.jobs.training_request import Ask, own_ask
from attnviz_app.jobs.trainings import trainings

from attnviz.catalog import is_kept_name
from attnviz.pretrained.known_models import FETCHED
from attnviz.text import Strings
from attnviz.training import task_named
from attnviz.training.plans import shell_command
from attnviz.training.trainer import MEASURED


def task_name(task: str, say: Strings) -> str:
    return say(f"view-training-task-{task}")


def changes(ask: Ask, say: Strings) -> str:
    """What an ask has otherwise than its task as it ships: "1 head, no positions"."""
    shipped = own_ask(ask.task)
    said = [words for field, words in _words(ask, say) if getattr(ask, field) != getattr(shipped, field)]
    return say("view-kit-list-separator").join(said) or say("training-unchanged")


def settings_line(ask: Ask, say: Strings) -> str:
    """All that an ask says: "2 heads, 2 layers, with positions, attention only, learning rate 0.01, 1500 steps"."""
    return say("view-kit-list-separator").join(words for _, words in _words(ask, say))


def _words(ask: Ask, say: Strings) -> list[tuple[str, str]]:
    return [
        ("heads", say("training-heads-changed", n=ask.heads)),
        ("layers", say("training-layers-changed", n=ask.layers)),
        ("has_positions", say("training-with-positions" if ask.has_positions else "training-without-positions")),
        ("has_feed_forward", say("training-with-feed-forward" if ask.has_feed_forward else "training-attention-only")),
        ("rate", say("training-rate-changed", rate=f"{ask.rate:g}")),
        ("steps", say("training-steps-changed", n=ask.steps, steps=str(ask.steps))),
    ]


def right(task: str, accuracy: Mapping[str, float], say: Strings) -> list[str]:
    """How often a model is right, a sentence each for new texts and harder ones."""
    counted = task_named(task).counted
    return [
        say(f"training-right-{counted}-{measure}", percent=f"{accuracy[measure]:.0%}", n=MEASURED)
        for measure in sorted(accuracy, reverse=True)  # "sentences" before "combinations"
    ]


def command(ask: Ask) -> str:
    """What trains the same in a terminal; nothing where no option says it."""
    return shell_command(task_named(ask.task), ask.plan)


def short_label(name: str, say: Strings) -> str:
    """A model's name alone, in a sentence that says what is done with it."""
    return FETCHED[name].title if name in FETCHED else model_label(name, say)


def model_label(name: str, say: Strings) -> str:
    ask = trainings().store.ask(name)
    if ask is not None:
        what = changes(ask, say)
        if what == say("training-unchanged"):
            return say("model-trained-plain", task=task_name(ask.task, say))
        return say("model-trained", task=task_name(ask.task, say), what=what)
    if f"model-{name}" in say:
        return say(f"model-{name}")
    file_name = Path(name).name
    return file_name.partition(":")[2] if file_name == name and is_kept_name(name) else file_name  # ollama:smollm2:135m
