"""The known mistakes of a layer with rotary positions: what else they turn, or do not."""

from __future__ import annotations

from attnviz.checking.find.fault import Fault, row

TURNED: tuple[Fault, ...] = (
    row("rotary-on-values",
        "The rotary positions turn the values too: each is turned by another angle before they are mixed. They belong "
        "on q and k.",
        "turn q and k, and leave v as it is: Su et al. 2021, section 3.2.2", turned="qkv"),
    *(row("rotary-on-one",
          f"The rotary positions turn the {one} and not the {other}: the product then depends on where a token stands, "
          "and not on how far apart two are.",
          "turn q and k both, by the same angles", turned=letter)
      for letter, one, other in (("q", "queries", "keys"), ("k", "keys", "queries"))),
)  # fmt: skip
