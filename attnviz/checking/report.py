"""What a check found, as values and as text. Nothing here measures anything."""

from dataclasses import dataclass
from textwrap import fill, indent

NO_VERDICT = (  # nothing was compared
    "cannot-compare", "several-attentions", "no-numbers", "cannot-copy", "more-than-attention", "compiled",
    "computed-matrices", "cannot-call", "adds-positions",
)  # fmt: skip
WIDTH = 100  # characters in a line of a printed report, without the mark in front


@dataclass(frozen=True)
class Measurement:
    label: str
    value: float

    def __str__(self) -> str:
        return f"{self.label}: {self.value:.3g}"


@dataclass(frozen=True)
class Finding:
    """One thing that is wrong, or worth knowing, in the attention that is checked."""

    id: str  # stays the same from version to version
    sentence: str  # what is wrong, and where it was seen
    fix: str  # a line of code, or where to look
    evidence: tuple[Measurement, ...] = ()

    def __str__(self) -> str:
        lines = [f"measured  {measured}" for measured in self.evidence] + [f"fix       {self.fix}"]
        return "\n".join([_wrapped(self.sentence), *(_wrapped(line, "  ", " " * 12) for line in lines)])


@dataclass(frozen=True)
class StageResult:
    """What one stage of a check adds to the report."""

    findings: tuple[Finding, ...] = ()
    notes: tuple[Finding, ...] = ()
    checked: tuple[str, ...] = ()
    unchecked: tuple[str, ...] = ()

    def __add__(self, other: "StageResult") -> "StageResult":
        return StageResult(
            self.findings + other.findings, self.notes + other.notes,
            self.checked + other.checked, self.unchecked + other.unchecked,
        )  # fmt: skip


def fault(id: str, sentence: str, fix: str, *evidence: Measurement) -> StageResult:
    return StageResult((Finding(id, sentence, fix, evidence),))


def note(id: str, sentence: str, fix: str = "nothing, if that is meant") -> StageResult:
    """The result of a stage that finds something worth knowing, and no fault."""
    return StageResult(notes=(Finding(id, sentence, fix),))


def checked(*what: str) -> StageResult:
    return StageResult(checked=what)


def unchecked(*why: str) -> StageResult:
    """The result of a stage that could not be run: "what: why not"."""
    return StageResult(unchecked=why)


@dataclass(frozen=True, repr=False)
class Report:
    """What `check_attention` found. `print(report)` is the text for people; `report.ok` the answer for a test.

    As a truth value it is `ok`, so that `assert check_attention(layer)` fails where there is a fault, and shows it.
    """

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

    def __bool__(self) -> bool:
        return self.ok

    def __str__(self) -> str:
        parts = [f"{self.name}: {self._verdict()}", _wrapped(self.how, then="  ")]
        parts += [f"\n{_wrapped_list(f'{i}. ', str(finding))}" for i, finding in enumerate(self.findings, 1)]
        parts += [f"\n{_wrapped_list('Note. ', str(note))}" for note in self.notes]
        parts.append("\n" + _wrapped(f"Checked: {'; '.join(dict.fromkeys(self.checked)) or 'nothing'}.", then="  "))
        parts += [_wrapped(f"Not checked: {reason}.", then="  ") for reason in self.unchecked]
        return "\n".join(parts)

    __repr__ = __str__  # what a notebook shows

    def _verdict(self) -> str:
        if self.ok:
            return "no fault found."
        if self.findings and all(finding.id in NO_VERDICT for finding in self.findings):
            return "no verdict."
        if [finding.id for finding in self.findings] == ["differs"]:
            return "it differs from ours, and the cause is not known."
        n = len(self.findings)
        return "1 fault." if n == 1 else f"{n} faults, the first one first."


def _wrapped(text: str, start: str = "", then: str = "") -> str:
    return fill(
        text, WIDTH, initial_indent=start, subsequent_indent=then, break_long_words=False, break_on_hyphens=False
    )


def _wrapped_list(mark: str, text: str) -> str:
    """The text behind its mark, every line as far in as the first."""
    return mark + indent(text, " " * len(mark)).lstrip()
