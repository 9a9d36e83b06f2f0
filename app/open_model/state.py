"""Which menu asked for another model, and what is typed and opened for it."""

import os

from attnviz_app.host import session
from attnviz_app.serving.opened_models import LONGEST, is_name, opened_models
from attnviz_app.serving.openings import Opening, openings
from attnviz_app.settings import LOCAL_PATH, settings

from attnviz.catalog import LocalModel, is_hub_name, is_kept_name, local_models

OTHER = "open-model:"  # the second entry of a menu; no model has this name
_menu = session.Value("opening-menu", str)  # whose dialog is open; "" for none
_typed = session.Value("opening-typed", str)
_opening = session.Value("opening-name", str)  # the model that is being opened for it; "" for none
_here: session.Value[tuple[LocalModel, ...] | None] = session.Value("opening-found", session.nothing)


def is_possible() -> bool:
    """Whether models can be opened: on the person's own computer, and not on a server for many."""
    return not settings().is_hosted


def could_open(name: str) -> bool:
    """Whether this is the name of a model that is not in the catalogue, as a dialog may open it."""
    return is_possible() and is_name(name) and (is_kept_name(name) or is_hub_name(name) or bool(LOCAL_PATH.match(name)))


def ask(menu: str, name: str = "") -> None:
    """Open the dialog of a menu, with a name in its field; nothing is opened before the person says so."""
    if is_possible():
        _menu.set(menu)
        _typed.set(name)
        _opening.set("")
        _here.set(None)


def close(menu: str) -> None:
    """Close the dialog of a menu; what is still being opened in it is given up."""
    if not is_asked_by(menu):
        return
    if _opening.get():
        openings().cancel(_opening.get())
    _menu.set("")


def is_asked_by(menu: str) -> bool:
    return is_possible() and _menu.get() == menu


def typed() -> str:
    return _typed.get()


def open(name: object) -> None:
    """Begin to open a model by its name, or by its path as it is from everywhere."""
    if not isinstance(name, str) or not is_possible():
        return
    said = name.strip()
    if len(said) > 1 and said[0] == said[-1] and said[0] in "\"'":  # a path as a file manager copies it
        said = said[1:-1].strip()
    _typed.set(said[:LONGEST])
    path = os.path.abspath(os.path.expanduser(said)) if is_name(said) else ""
    named = path if path and os.path.exists(path) else said
    if is_name(named):
        openings().open(named)
        _opening.set(named)


def opening() -> Opening | None:
    """How far it is."""
    return openings().of(_opening.get()) if _opening.get() else None


def finished() -> str:
    """The model that was opened; the dialog is closed by that."""
    name = _opening.get()
    _opening.set("")
    _menu.set("")
    return name


def remove(name: str) -> None:
    opened_models().remove(name)


def here() -> tuple[LocalModel, ...]:
    """What is on this computer, looked for once each time the dialog opens."""
    models = _here.get()
    if models is None:
        models = local_models()
        _here.set(models)
    return models
