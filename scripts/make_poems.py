"""Makes the poems that the package ships out of the npm package chinese-poetry, whose 57,000 poems of the Tang are in
the public domain (MIT licence on the collection):

    npm pack chinese-poetry@2.0.1
    pip install opencc==1.4.2
    python scripts/make_poems.py chinese-poetry-2.0.1.tgz

Kept are poems of four or eight lines of five or seven characters each, every one once. OpenCC writes them in the
characters of Taiwan and in simplified ones.
"""

import hashlib
import json
import lzma
import re
import sys
import tarfile
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

from opencc import OpenCC

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from attnviz.training.tasks.poetry import corpus  # noqa: E402
from attnviz.training.tasks.poetry.verse import FORMS, MARKS, verse  # noqa: E402

SHA256 = "25b549e46919c3a0569db6b68ddc96956b04a484ea4518ad2bbd4f137e307e86"
CHARACTERS = re.compile("[\u3400-\u9fff\U00020000-\U0003ffff]+")
LONGEST_TITLE = 12  # characters; a longer one is left out, its poem is not
FEWEST = 5  # occurrences in the poems that are trained on, from which on a character is in the vocabulary
# Chinese characters are two bytes each here, of which the first changes little.
FILTERS = [{"id": lzma.FILTER_LZMA2, "preset": 9, "lc": 0, "lp": 1, "pb": 1, "dict_size": 1 << 24}]


def published(package: Path) -> Iterator[tuple[str, str]]:
    """Title and text of each poem of the Tang, in the order of the collection."""
    with tarfile.open(package) as files:
        tang = [
            member
            for member in files.getmembers()
            if re.search(r"dist/quantangshi/poet\.tang\.\d+\.json$", member.name)
        ]
        for member in sorted(tang, key=lambda member: int(member.name.split(".")[-2])):
            for poem in json.load(files.extractfile(member)):  # type: ignore[arg-type]
                title = poem["title"].replace(" ", "")
                is_short = CHARACTERS.fullmatch(title) and len(title) <= LONGEST_TITLE
                yield title if is_short else "", "".join(poem["paragraphs"])


def distinct(poems: Iterator[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Those of the four forms. A poem of which half the lines stood in one before is another reading of it."""
    seen = set[str]()
    for title, text in poems:
        lines = re.split(f"[{MARKS}]", text)[:-1]
        known = verse(tuple(text))
        is_ours = known is not None and text[-1] in MARKS and (known.width, len(known.lines)) in FORMS
        if is_ours and CHARACTERS.fullmatch("".join(lines)) and 2 * len(seen.intersection(lines)) < len(lines):
            seen.update(lines)
            yield title, text


def main(package: Path) -> None:
    if hashlib.sha256(package.read_bytes()).hexdigest() != SHA256:
        sys.exit(f"{package} is not chinese-poetry 2.0.1.")
    poems = list(distinct(published(package)))
    of_taiwan, simplified = OpenCC("t2tw"), OpenCC("t2s")
    rows = [[convert.convert(part) for convert in (of_taiwan, simplified) for part in poem] for poem in poems]
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for title, text, short_title, short in rows:
        for one, other in zip(title + text, short_title + short, strict=True):
            counts[one][other] += 1
    usual = {one: count.most_common(1)[0][0] for one, count in counts.items()}
    pairs = "".join(one + other for one, other in sorted(usual.items()) if one != other)
    table = corpus.table_of(pairs)
    lines = [pairs]
    for title, text, *short in rows:
        is_usual = [title.translate(table), text.translate(table)] == short
        lines.append("\t".join([title, text, *([] if is_usual else short)]))
    corpus.FILE.write_bytes(lzma.compress("\n".join(lines).encode("utf-16-le"), format=lzma.FORMAT_XZ, filters=FILTERS))
    for script, path in corpus.CHARACTERS.items():
        trained = Counter(
            character for poem in corpus.poems(script) if poem.split == "train" for character in poem.title + poem.text
        )
        known = sorted(character for character, n in trained.items() if n >= FEWEST and character not in MARKS)
        path.write_text("".join(known), encoding="utf-8")
    print(len(poems), "poems,", corpus.FILE.stat().st_size, "bytes")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
