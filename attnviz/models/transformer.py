"""The whole transformer: embedding at the bottom, blocks on top of each other, in a decoder the vocabulary at the top.

`Encoder`          reads a text; every token may look at every other (BERT, MiniLM)
`Decoder`          writes a text; no token may look ahead (GPT-2), and may look at an encoder's text as well
`EncoderDecoder`   both, as in the paper: reads one text and writes another (translation)

Letters: B texts, T tokens, Ts source tokens, D model width, L layers, V vocabulary. Words: docs/glossary.md.
"""

from __future__ import annotations

from torch import Tensor, nn

from attnviz.core.attend import Kernel
from attnviz.core.capture import tap
from attnviz.core.errors import InputError
from attnviz.models.blocks import DecoderBlock, EncoderBlock
from attnviz.models.config import TransformerConfig, check_config
from attnviz.models.layers import TokenEmbedding, layer_norm
from attnviz.models.support.cache import KeyValueCache, check_cache
from attnviz.models.support.checks import check_memory, check_vectors
from attnviz.models.support.mask_checks import check_tokens_of
from attnviz.models.support.masking import join_masks


class Encoder(nn.Module):
    """Reads a text: each token's vector comes to hold what it means in this sentence.

        x = TokenEmbedding(ids)     the token's vector plus that of its position (layers.py)
        x = EncoderBlock_l(x)       for l = 0 … L − 1
        out = x                     post-norm (paper, BERT): each block has ended in a LayerNorm
        out = LayerNorm(x)          pre-norm: nothing has normalised the last sum yet

    torch.nn.Transformer puts the last LayerNorm there in both cases. After post-norm it finds normalised numbers, and
    stretches and shifts them once more by weights of its own: a model that was trained with it needs it. To do the
    same, assign `model.final_norm = nn.LayerNorm(D)`.

    Source: "Attention Is All You Need" (2017), section 3.1; BERT (2018), section 3; pre-norm: Xiong et al. 2020.
    """

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.config = config
        self.embed = TokenEmbedding(config)
        self.blocks = nn.ModuleList(EncoderBlock(config) for _ in range(config.n_layers))
        self.final_norm = layer_norm(config) if config.norm == "pre" else nn.Identity()

    def forward(
        self,
        ids: Tensor,
        *,
        is_token: Tensor | None = None,
        types: Tensor | None = None,
        mask: Tensor | None = None,
        kernel: Kernel = "explicit",
    ) -> Tensor:
        """Token ids in, one vector for each token out.

        Args:
            ids: [B, T] whole numbers below vocab_size.
            is_token: [B, T] bool, True where a token stands and False where padding does.
            types: [B, T], 0 for the tokens of a first sentence and 1 for those of a second, in models that tell them
                apart (BERT); all 0 when left out. The paper's model and GPT-2 have no token types.
            mask: a further mask, broadcast to [B, H, T, T]; bool True = may look, or float added to the scores.
            kernel: "explicit" or "fused", see `MultiHeadAttention.forward`.
        Returns:
            [B, T, D].
        Raises:
            InputError, TooLong, MaskError: ids, length or masks do not fit this model.
        """
        x = self.embed(ids, types=types)  # [B, T] -> [B, T, D]
        return self.through_blocks(x, is_token=is_token, mask=mask, kernel=kernel)  # [B, T, D]

    def through_blocks(
        self,
        x: Tensor,
        *,
        is_token: Tensor | None = None,
        mask: Tensor | None = None,
        kernel: Kernel = "explicit",
    ) -> Tensor:
        """All blocks, without the embedding: for token vectors that come from elsewhere.

        Args:
            x: [B, T, D], what the first block reads.
            is_token, mask, kernel: as for `forward`.
        Returns:
            [B, T, D].
        Raises:
            TraceShapeError, MaskError, InputError: x or the masks do not fit this model, or x holds NaN.
        """
        check_vectors("x", x, self.config.d_model, self.embed.tokens.weight)
        x = tap("encoder.embed", x)  # [B, T, D]
        shape = (*x.shape[:-2], self.config.n_heads, x.shape[-2], x.shape[-2])  # B, H, T, T
        # Joined here, once for all blocks; each attention takes the result as its mask and adds nothing to it.
        mask = join_masks(mask, is_causal=False, is_token=is_token, shape=shape, like=x)  # [B, H, T, T]
        for layer, block in enumerate(self.blocks):
            x = block(x, mask=mask, layer=layer, kernel=kernel)  # [B, T, D]
        return tap("encoder.out", self.final_norm(x))  # [B, T, D]


class Decoder(nn.Module):
    """Writes a text: from the tokens so far, how likely each token of the vocabulary is to come next.

        x = TokenEmbedding(ids)
        x = DecoderBlock_l(x, memory)       for l = 0 … L − 1; memory only where has_cross
        logits = x Eᵀ                       [B, T, V]; pre-norm: of LayerNorm(x). E is the token table itself where the
                                            two are tied (as in the paper and GPT-2), else a table of its own
        P(token t + 1 | tokens 0 … t) = softmax(logits_t)

    In training it answers for every place of a text at once, which is why no token may look ahead: one that saw the
    next token would learn to copy it. When writing, decoding.py asks only about the last place, token by token.

    Args:
        has_cross: whether its blocks also look at an encoder's text; False is a causal language model.
    Source: "Attention Is All You Need" (2017), sections 3.1 and 3.4; GPT-2 (2019), section 2.3.
    """

    def __init__(self, config: TransformerConfig, *, has_cross: bool = False) -> None:
        super().__init__()
        self.config, self.has_cross = config, has_cross
        self.embed = TokenEmbedding(config)
        self.blocks = nn.ModuleList(DecoderBlock(config, has_cross=has_cross) for _ in range(config.n_layers))
        self.final_norm = layer_norm(config) if config.norm == "pre" else nn.Identity()
        self.to_vocabulary = nn.Linear(config.d_model, config.vocab_size, bias=False)  # D -> V
        if config.embedding.is_tied:  # a token is likely where the stream points the way of its own vector
            self.to_vocabulary.weight = self.embed.tokens.weight  # [V, D]

    def forward(
        self,
        ids: Tensor,
        memory: Tensor | None = None,
        *,
        is_token: Tensor | None = None,
        memory_is_token: Tensor | None = None,
        cache: KeyValueCache | None = None,
        kernel: Kernel = "explicit",
    ) -> Tensor:
        """Token ids in, logits out: softmax of row t gives the probabilities of token t + 1.

        Args:
            ids: [B, T] whole numbers below vocab_size; with a cache, only the tokens it has not read.
            memory: [B, Ts, D] from an encoder, where has_cross.
            is_token: [B, T] bool, False where padding stands; with a cache, for the tokens it has read as well.
            memory_is_token: [B, Ts] bool, the same for the source text.
            cache: keys and values of the tokens read so far; this call appends to it.
            kernel: "explicit" or "fused", see `MultiHeadAttention.forward`.
        Returns:
            [B, T, V], before softmax.
        Raises:
            InputError, TooLong, MaskError, TraceShapeError: ids, length, masks or memory do not fit this model.
        """
        check_cache(cache)
        x = self.embed(ids, start=0 if cache is None else cache.n_tokens)  # [B, T] -> [B, T, D]
        x = self.through_blocks(
            x, memory, is_token=is_token, memory_is_token=memory_is_token, cache=cache, kernel=kernel
        )  # [B, T, D]
        return self.to_vocabulary(x)  # [B, T, D] -> [B, T, V]

    def through_blocks(
        self,
        x: Tensor,
        memory: Tensor | None = None,
        *,
        is_token: Tensor | None = None,
        memory_is_token: Tensor | None = None,
        mask: Tensor | None = None,
        memory_mask: Tensor | None = None,
        is_causal: bool = True,
        cache: KeyValueCache | None = None,
        kernel: Kernel = "explicit",
    ) -> Tensor:
        """All blocks, without embedding and vocabulary: for token vectors that come from elsewhere.

        Args:
            x: [B, T, D], what the first block reads.
            memory, is_token, memory_is_token, cache, kernel: as for `forward`.
            mask: a further mask, broadcast to [B, H, T, Tk], where Tk is T and the tokens the cache holds from before.
            memory_mask: the same for the source text, broadcast to [B, H, T, Ts].
            is_causal: False lets tokens look ahead, which is good for experiments only.
        Returns:
            [B, T, D].
        Raises:
            TraceShapeError, MaskError, InputError: x, memory or a mask does not fit this model, or holds NaN.
        """
        check_vectors("x", x, self.config.d_model, self.embed.tokens.weight)
        check_memory(memory, memory_mask, memory_is_token, has_cross=self.has_cross, part="decoder", like=x)
        check_cache(cache)
        x = tap("decoder.embed", x)  # [B, T, D]
        n_read = x.shape[-2] + (0 if cache is None else cache.n_tokens)  # Tk: tokens read so far, these included
        shape = (*x.shape[:-2], self.config.n_heads, x.shape[-2], n_read)  # B, H, T, Tk
        mask = join_masks(mask, is_causal=is_causal, is_token=is_token, shape=shape, like=x)  # [B, H, T, Tk]
        if memory is not None:
            shape = (*shape[:-1], memory.shape[-2])  # B, H, T, Ts
            memory_mask = join_masks(
                memory_mask, is_causal=False, is_token=memory_is_token, shape=shape, like=x, prefix="memory_"
            )  # [B, H, T, Ts]
        masks = {"mask": mask, "memory_mask": memory_mask}  # the same in every block
        for layer, block in enumerate(self.blocks):
            x = block(x, memory, **masks, layer=layer, cache=cache, kernel=kernel)  # [B, T, D]
        return tap("decoder.out", self.final_norm(x))  # [B, T, D]


class EncoderDecoder(nn.Module):
    """Reads a source text and writes a target text.

    Called, it answers for every place of a target text that is there already, as in training. To write one:

        memory = model.encoder(source)                                                # [1, Ts] -> [1, Ts, D]
        greedy(model.decoder, [START], end=END, max_new_tokens=20, memory=memory).ids   # decoding.py

    Args:
        config: the encoder, and the decoder too where no target is given. The two have embeddings of their own; the
            paper (section 3.4) shares one table between them, which needs one vocabulary for both languages.
        target: the decoder, when it differs: another vocabulary, another number of layers. Same d_model.
    Raises:
        InputError: the two differ in d_model, so that one cannot look at the other's vectors.
    Source: "Attention Is All You Need" (2017), figure 1.
    """

    def __init__(self, config: TransformerConfig, target: TransformerConfig | None = None) -> None:
        super().__init__()
        target = config if target is None else target
        check_config(config)
        check_config(target, "target")
        if target.d_model != config.d_model:
            raise InputError(
                f"The encoder has d_model={config.d_model} and the decoder {target.d_model}; expected the same width. "
                "Give both configurations one d_model."
            )
        self.encoder = Encoder(config)
        self.decoder = Decoder(target, has_cross=True)

    def forward(
        self,
        source: Tensor,
        target: Tensor,
        *,
        source_is_token: Tensor | None = None,
        target_is_token: Tensor | None = None,
        kernel: Kernel = "explicit",
    ) -> Tensor:
        """Source ids and the target ids so far in, logits of the next target token out.

        Args:
            source: [B, Ts] whole numbers. target: [B, T] whole numbers; begins with the start token.
            source_is_token, target_is_token: [B, Ts] and [B, T] bool, False where padding stands.
            kernel: "explicit" or "fused", see `MultiHeadAttention.forward`.
        Returns:
            [B, T, V], before softmax; row t is about target token t + 1. In training, target is the text without its
            last token, and the loss compares with the text without its first.
        """
        check_tokens_of(source, source_is_token, "source_is_token")
        check_tokens_of(target, target_is_token, "target_is_token")
        memory = self.encoder(source, is_token=source_is_token, kernel=kernel)  # [B, Ts] -> [B, Ts, D]
        return self.decoder(
            target, memory, is_token=target_is_token, memory_is_token=source_is_token, kernel=kernel
        )  # [B, T] -> [B, T, V]
