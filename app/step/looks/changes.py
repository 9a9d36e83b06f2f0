"""What a closer look says about the what-ifs of the page: which there are, or that they are left out."""

from __future__ import annotations

from attnviz_app.step.looks.seen import Seen

from attnviz.views.panel.blocks import Prose


def made(seen: Seen) -> tuple[Prose, ...]:
    """For a look at the run on the page: what was switched in it, if anything."""
    if not seen.trace.edits:
        return ()
    notes = (seen.say(note.id, **note.arguments) for note in seen.now.switches.notes(seen.untouched))
    return (Prose(seen.say("look-with-switches", changes=" · ".join(notes))),)


def left_out(seen: Seen) -> tuple[Prose, ...]:
    """For a look at the untouched run: that nothing is switched in it, where something is on the page."""
    return (Prose(seen.say("look-without-switches")),) if seen.trace.edits else ()
