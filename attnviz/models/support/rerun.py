"""A run of our own network that can be made again with gradients, see `attnviz.trace.rerun`."""

from collections.abc import Callable

from torch import Tensor

from attnviz.models.transformer import Decoder, Encoder, EncoderDecoder
from attnviz.trace.rerun import Rerun


def network_rerun(
    network: Encoder | Decoder | EncoderDecoder, *texts: Tensor, text_of: Callable[[int], str] = str,
    has_one_vocabulary: bool = False, types: Tensor | None = None,
) -> Rerun:  # fmt: skip
    """The run of a network over one text, or over a source and a target text: ids [1, T] each.

    Args:
        types: token types of the one text, [1, T].
        has_one_vocabulary: whether the tokens of a source are numbered as those of the target.
    """

    def states(n: int) -> Tensor:
        ids = [text.expand(n, -1) for text in texts]  # [n, T] each
        if isinstance(network, EncoderDecoder):
            source, target = ids
            memory = network.encoder(source)  # [n, Ts, d_model]
            return network.decoder.through_blocks(network.decoder.embed(target), memory)  # [n, T, d_model]
        return network.through_blocks(
            network.embed(ids[0], types=None if types is None else types.expand(n, -1))
        )  # [n, T, d_model]

    def spellings(token: int) -> tuple[str]:
        return (text_of(token),)

    if isinstance(network, Encoder):
        return Rerun(network, network.embed.tokens.weight, states, None, text_of, spellings, network.final_norm)
    decoder = network if isinstance(network, Decoder) else network.decoder

    def logits(last: Tensor, ids: Tensor) -> Tensor:
        return decoder.logits(last)  # [R, V]

    table, norm = decoder.embed.tokens.weight, decoder.final_norm
    source = network.encoder.embed.tokens.weight if isinstance(network, EncoderDecoder) else None
    return Rerun(network, table, states, logits, text_of, spellings, norm, source, has_one_vocabulary)
