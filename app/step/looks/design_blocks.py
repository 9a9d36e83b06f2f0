"""What the closer look at three designs shows, as blocks: the paper of 2017, GPT-2 and Llama-type models."""

from attnviz.text import Strings
from attnviz.views.panel import Block, Table

DESIGNS = ("paper", "gpt2", "llama")
# Sources: "Attention Is All You Need" (2017), sections 3 and 6.1, table 3; of the one matrix, 3.4; Radford et al. 2019,
# section 2.3, and the code published with it; Touvron et al. 2023, section 2.2; Ainslie et al. 2023. Of the cache the
# sizes of the paper's base model, of the smallest GPT-2 and of SmolLM2-135M.
PARTS = ("stacks", "positions", "norm", "heads", "feed-forward", "bias", "logits", "cache", "choice")

# Models built so, the better known first; of each line one is offered.
BUILT_SO = (
    ("paper", ("translate-en-zh",)), ("paper", ("untrained-encoder-decoder",)),
    ("gpt2", ("gpt2", "openai-community/gpt2")), ("llama", ("smollm2-135m",)),
)  # fmt: skip


def designs(say: Strings) -> tuple[Block, ...]:
    """What differs between the three, part by part."""
    columns = [say("look-designs-part"), *(say(f"look-designs-{design}") for design in DESIGNS)]
    rows = [
        [say(f"look-designs-{part}"), *(say(f"look-designs-{part}-{design}") for design in DESIGNS)] for part in PARTS
    ]
    return (Table(columns, rows, title=say("look-designs-table")),)
