"""What every model of this project can do, whoever wrote it, and what only some can: protocols to be asked for."""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol, runtime_checkable

import torch
from torch import Tensor, nn

from attnviz.core.edit import Edits
from attnviz.trace.generation import Continued
from attnviz.trace.given import Given, Readable
from attnviz.trace.run_facts import Card
from attnviz.trace.sampling import Sampling
from attnviz.trace.tokens import Tokens
from attnviz.trace.trace import Trace


@runtime_checkable
class Model(Protocol):
    """A model that can be traced. Safe to share between threads; a trace never changes it."""

    @property
    def card(self) -> Card:
        """What the model is."""
        ...

    def trace(self, text: Readable, target: Readable | None = None, edits: Edits = ()) -> Trace:
        """Run over one text and keep what happened.

        Args:
            text: the source text, whole; it is never cut. Or its token ids, and some models read two texts, or a chat:
                see attnviz/trace/given.py.
            target: the decoder's own text, for encoder-decoder models.
            edits: one or several changes to make on the way.
        Raises:
            InputError: the text is empty, too long or not usable; the message says which and what to do.
        """
        ...

    def traces(self, texts: Sequence[Readable] | Tensor) -> tuple[Trace, ...]:
        """Run over several texts as one padded batch: a trace each, padding removed, equal to single runs."""
        ...


@runtime_checkable
class WritesOn(Protocol):
    """A model that may continue a text."""

    @property
    def can_write_on(self) -> bool:
        """Whether this one does."""
        ...

    def write_on(
        self, text: str, max_tokens: int | None = None, *, sampling: Sampling | None = None, chosen: int | None = None,
        on_token: Callable[[int], None] | None = None,
    ) -> Continued:  # fmt: skip
        """The text with what follows it, at most so many tokens: the likeliest each time, or drawn by `sampling`.

        Args: as of `TextModel.write_on`.
        """
        ...


@runtime_checkable
class ReadsInPart(Protocol):
    """A model that says how much of a long text it can read."""

    def first_part(self, text: str, max_tokens: int | None = None) -> str:
        """The beginning of a text, of at most so many tokens."""
        ...


@runtime_checkable
class CountsTokens(Protocol):
    """A model that says how many tokens a text has without running."""

    def n_tokens(self, text: "Given") -> int: ...


@runtime_checkable
class ReadsForms(Protocol):
    """A model that says whether it reads two texts together, and whether it reads a chat."""

    @property
    def reads_pairs(self) -> bool: ...

    @property
    def reads_chats(self) -> bool: ...


@runtime_checkable
class MakesTexts(Protocol):
    """A model of a task of its own, whose texts are not ordinary ones."""

    def own_texts(self, n: int = 200) -> tuple[str, ...]:
        """At most so many texts of its task."""
        ...


@runtime_checkable
class ReadsIds(Protocol):
    """A model whose vocabulary only its owner knows."""

    reads_target: bool

    def some_ids(self, n: int) -> tuple[int, ...]:
        """At most so many token ids that it reads, as a source and as a target."""
        ...


class Tokenizer(Protocol):
    """What splits a text."""

    def tokens(self, given: Given, /) -> Tokens: ...


@runtime_checkable
class HasTokenizer(Protocol):
    """A model that splits any text into tokens, without running."""

    @property
    def tokenizer(self) -> Tokenizer: ...


@runtime_checkable
class HasMatrices(Protocol):
    """A model that hands out its attentions' parameters, by site and name."""

    @property
    def matrices(self) -> Mapping[str, Mapping[str, Tensor]]: ...


@runtime_checkable
class KnowsBytes(Protocol):
    """A model that counted the bytes of its weights."""

    @property
    def nbytes(self) -> int: ...


@runtime_checkable
class HashesWeights(Protocol):
    """A model that knows a hash of its weights, whatever it is called."""

    @property
    def weights_sha256(self) -> str: ...


def model_bytes(model: Model) -> int:
    """Bytes of memory that a model's weights take, whatever their dtype."""
    if isinstance(model, KnowsBytes):
        return model.nbytes
    return 4 * model.card.parameters  # float32, which models from scratch are made of


def module_sha256(module: nn.Module) -> str:
    """The SHA-256 of a module's parameters and buffers, with their names; of those on the disk the name alone."""
    said = hashlib.sha256()
    for name, tensor in module.state_dict().items():
        said.update(f"{name} {tuple(tensor.shape)} {tensor.dtype}".encode())
        if not tensor.is_meta:
            said.update(tensor.detach().cpu().contiguous().view(-1).view(torch.uint8).numpy().data)
    return said.hexdigest()


def module_bytes(module: nn.Module) -> int:
    """Bytes of a module's parameters and buffers; what two layers share counts once."""
    tensors = (*module.parameters(), *module.buffers())
    storages = {tensor.untyped_storage().data_ptr(): tensor.untyped_storage().nbytes() for tensor in tensors}
    return sum(storages.values())
