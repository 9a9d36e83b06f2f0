"""What a closer look is given, and the panels it draws in the dialog that is open."""

from collections.abc import Sequence
from dataclasses import dataclass

from attnviz_app.host import component
from attnviz_app.step.query import Picked

from attnviz.core.site import Site
from attnviz.text import Strings
from attnviz.trace.model_protocol import Model
from attnviz.trace.trace import Trace
from attnviz.views.panel.blocks import Block, Prose


@dataclass(frozen=True, eq=False)
class Look:
    """One that is open, and what was on the page when it was asked for."""

    key: str  # its name is the message `look-<key>`, what it shows `look-<key>-about`
    model: str  # its name, as the menu has it
    trace: Trace  # of the run on the page, with its switches
    untouched: Trace  # of the same text without them
    now: Picked
    say: Strings
    ran: Model  # what made these runs

    @property
    def site(self) -> Site:
        return Site.parse(self.now.site)

    def draw(self, blocks: Sequence[Block], *, panel: str = "panel", title: str = "") -> None:
        """Show blocks; a second panel has a name of its own and a title for screen readers."""
        component.panel(blocks, title or self.say(f"look-{self.key}"), f"look-{self.key}-{panel}", self.say)

    def of_run(self, blocks: Sequence[Block]) -> tuple[Block, ...]:
        """What is said of the run on the page, after what was switched in it, if anything."""
        if not self.trace.edits:
            return tuple(blocks)
        notes = (self.say(note.id, **note.arguments) for note in self.now.switches.notes(self.untouched))
        return Prose(self.say("look-with-switches", changes=" · ".join(notes))), *blocks

    def of_untouched(self, blocks: Sequence[Block]) -> tuple[Block, ...]:
        """What is said of the untouched run; it says so where something is switched on the page."""
        return *((Prose(self.say("look-without-switches")),) if self.trace.edits else ()), *blocks
