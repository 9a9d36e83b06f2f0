"""Which model a link asks for, on a page that shows whole models: no variant, and none that is not in its menus."""

from collections.abc import Container

from attnviz_app.notice import Notice, notice

from attnviz.scratch.variants import is_variant, of_variant

LONGEST = 60  # letters of a name that is told back


def model_in_link(
    asked: str, default: str, models: Container[str], removed: Container[str] = ()
) -> tuple[str, list[Notice]]:
    """The model to show, and a notice where it is not the one that was asked for.

    Args:
        models: those that may be asked for. removed: those that were here and had to make room.
    """
    if asked in models:
        return asked, []
    if is_variant(asked) and of_variant(asked) in models:
        return of_variant(asked), [notice("notice-variant", shown=of_variant(asked))]
    id = "notice-removed" if asked in removed else "notice-model"
    return default, [notice(id, name=asked[:LONGEST], shown=default, asked=asked)]
