"""The tasks, by name. Each has its own file: what it asks, how it is drawn, its held-out split and its known answer."""

from attnviz.core.errors import InputError
from attnviz.training.tasks import copy, induction, reverse, sort, translation
from attnviz.training.tasks.task import Answer, Example, Link, Plan, Shape, Task

TASKS: dict[str, Task] = {
    task.name: task
    for task in (copy.TASK, reverse.TASK, sort.TASK, induction.TASK, translation.EN_ZH, translation.ZH_EN)
}


def task_named(name: str) -> Task:
    """A task by its name.

    Raises:
        InputError: there is none; the message lists those there are.
    """
    if name not in TASKS:
        known = ", ".join(TASKS)
        raise InputError(
            f"There is no task {name!r}. Known: {known}.", id="unknown-task", task=name, known=known
        )  # fmt: skip
    return TASKS[name]


__all__ = ["TASKS", "Answer", "Example", "Link", "Plan", "Shape", "Task", "task_named"]
