"""The known mistakes of a layer that is given several texts: queries, keys or values made of the wrong one."""

from __future__ import annotations

from itertools import groupby, product

from attnviz.checking.call.signature import Signature
from attnviz.checking.find.fault import Fault, row
from attnviz.checking.find.faults_of_values import LETTER


def texts_mixed_up(signature: Signature) -> tuple[Fault, ...]:
    """One row for each way in which the inputs may be mixed up; none for a layer of x alone."""
    if signature.n_inputs == 1:
        return ()
    usual = ("x", "memory") if signature.n_inputs == 2 else ("query", "key", "value")
    named = dict(zip(signature.places, signature.names, strict=False))
    names = [named.get(place, usual[place]) for place in range(signature.n_inputs)]
    names += names[-1:] * (3 - len(names))  # memory is key and value
    sources = "qk" if signature.n_inputs == 2 else "qkv"
    right = "qkk" if signature.n_inputs == 2 else "qkv"
    ways = ["".join(way) for way in product(sources, repeat=3)]
    ways.sort(key=lambda way: sum(one != other for one, other in zip(way, right, strict=True)))
    return tuple(_row(way, names) for way in ways if way != right)


def _row(reads: str, names: list[str]) -> Fault:
    """reads: which input the queries, keys and values are made of."""
    used = [names["qkv".index(letter)] for letter in reads]
    fix = "; ".join(f"{letter} = W_{letter}({name})" for letter, name in zip("qkv", names, strict=True))
    wrong = [place for place in range(3) if used[place] != names[place]]
    parts = []
    for (came, expected), places in groupby(wrong, key=lambda place: (used[place], names[place])):
        letters = " and ".join(LETTER["qkv"[place]] for place in places)
        parts.append(f"the {letters} are made of {came}, expected of {expected}")
    unread = [name for name in dict.fromkeys(names) if name not in used]
    sentence = f"The wrong text is read: {'; '.join(parts)}."
    sentence += f" Nothing is made of {' or '.join(unread)}." if unread else ""
    return row("texts-mixed-up", sentence, fix, reads=reads)
