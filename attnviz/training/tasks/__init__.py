"""The tasks by name. Each one says what is asked, draws its examples, holds some out and knows the right heads."""

from attnviz.core.errors import InputError
from attnviz.training.tasks import induction, poems, symbol_tasks, translation
from attnviz.training.tasks.task import Task

TASKS: dict[str, Task] = {
    task.name: task
    for task in (*symbol_tasks.TASKS, induction.TASK, translation.EN_ZH, translation.ZH_EN, *poems.TASKS)
}


def task_named(name: str) -> Task:
    """A task by its name; the refusal of another one lists them."""
    if name not in TASKS:
        known = ", ".join(TASKS)
        raise InputError(id="unknown-task", task=name, known=known)
    return TASKS[name]
