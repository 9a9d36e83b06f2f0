"""`python -m benchmarks [name ...]`: run all benchmarks, or the named ones, and print each figure once measured."""

import os
import sys
from importlib import import_module

from benchmarks.table import HEADINGS, line

NAMES = (
    "mha", "blocks", "start", "pages", "people", "training", "alignment", "capture", "class_room", "compare",
    "pictures", "why", "research",
)  # fmt: skip

APART = ("typists", "attribution", "poems")  # run where they are named


def main(names: list[str]) -> int:
    if unknown := set(names) - {*NAMES, *APART}:
        sys.exit(f"There is no benchmark {', '.join(sorted(unknown))}. Known: {', '.join((*NAMES, *APART))}.")
    print(HEADINGS)
    for name in names or NAMES:
        print(f"measuring {name} …", flush=True)
        for row in import_module(f"benchmarks.{name}").measure():
            print(line(row), flush=True)
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} at the end")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
