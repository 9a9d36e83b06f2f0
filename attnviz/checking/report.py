"""What a check found, as values and as text. Nothing here measures anything."""

from __future__ import annotations

from dataclasses import dataclass
from textwrap import fill


@dataclass(frozen=True)
class Measurement:
    """One measured number and what it is."""

    label: str
    value: float

    def __str__(self) -> str:
        return f"{self.label}: {self.value:.3g}"


@dataclass(frozen=True)
class Finding:
    """One thing that is wrong, or worth knowing, in somebody's attention."""

    id: str  # stays the same from version to version
    sentence: str  # what is wrong, and where it was seen
    fix: str  # a line of code, or where to look
    evidence: tuple[Measurement, ...] = ()

    def __str__(self) -> str:
        lines = [self.sentence, *(f"  measured  {measured}" for measured in self.evidence)]
        return "\n".join([*lines, f"  fix       {self.fix}"])


@dataclass(frozen=True)
class Report:
    """What `check_attention` found. `print(report)` is the text for people; `report.ok` the answer for a test."""

    name: str  # of the class or function that was checked
    how: str  # how it was called: what went in, which weights, which masks
    findings: tuple[Finding, ...] = ()  # faults, first fault first
    notes: tuple[Finding, ...] = ()  # no faults, but worth knowing
    checked: tuple[str, ...] = ()  # what was compared with ours
    unchecked: tuple[str, ...] = ()  # what was not, and why

    @property
    def ok(self) -> bool:
        """Whether everything that was compared agrees with ours, and the output was compared at all."""
        return not self.findings and "output" in self.checked

    def __str__(self) -> str:
        n = len(self.findings)
        if self.ok:
            head = f"{self.name}: no fault found."
        else:
            head = f"{self.name}: {n} fault{'s' if n != 1 else ''}, the first one first."
        parts = [head, fill(self.how, 110, subsequent_indent="  ")]
        parts += [f"\n{i}. {finding}" for i, finding in enumerate(self.findings, 1)]
        parts += [f"\nNote. {note}" for note in self.notes]
        parts.append("\nChecked: " + (", ".join(self.checked) or "nothing") + ".")
        parts += [f"Not checked: {reason}." for reason in self.unchecked]
        return "\n".join(parts)
