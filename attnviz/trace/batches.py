"""Which texts run together: those of like length, so that little of a batch is padding."""

from collections.abc import Sequence


def batches_of(lengths: Sequence[int], most: int) -> list[list[int]]:
    """The positions of some texts, in batches.

    Args:
        lengths: of each text, in tokens or characters.
        most: of a batch, padding included; a longer text is a batch of its own.
    """
    batches: list[list[int]] = []
    for number in sorted(range(len(lengths)), key=lambda number: lengths[number]):
        if not batches or (len(batches[-1]) + 1) * lengths[number] > most:
            batches.append([])
        batches[-1].append(number)
    return batches
