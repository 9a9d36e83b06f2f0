"""The whole transformer: embedding, blocks on top of each other, and in a decoder the logits of the vocabulary.

`Encoder`          reads a text; every token can attend to every other (BERT, MiniLM)
`Decoder`          writes a text; a token can attend only to itself and those before it (GPT-2, Llama), and in an
                   EncoderDecoder to a source text as well
`EncoderDecoder`   both, as in the paper: reads one text and writes another (translation)

Letters: B texts, T tokens, Ts source tokens, d_model model width, L layers, V vocabulary.
"""

from torch import Tensor, nn

from attnviz.core import ops
from attnviz.core.capture import tap
from attnviz.core.errors import InputError
from attnviz.models.blocks import DecoderBlock, EncoderBlock, ParallelBlock
from attnviz.models.config import TransformerConfig
from attnviz.models.layers import TokenEmbedding, norm_of
from attnviz.models.support.argument_checks import check_memory
from attnviz.models.support.key_value_cache import KeyValueCache
from attnviz.models.support.masking import join_masks


class Encoder(nn.Module):
    """Reads a text.

        x = TokenEmbedding(ids)
        x = EncoderBlock_l(x)       for l = 0 … L − 1
        out = x                     post-norm (paper, BERT): each block ends in a norm
        out = norm(x)               pre-norm

    torch.nn.Transformer has the last LayerNorm in post-norm too. To load such a model, assign
    `model.final_norm = nn.LayerNorm(d_model)`.

    Source: "Attention Is All You Need" (2017), section 3.1; BERT (2018), section 3; pre-norm: Xiong et al. 2020.
    """

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        if config.is_parallel or any(config.attention_of(layer).window is not None for layer in range(config.n_layers)):
            raise InputError(id="encoder-with-decoders-style")
        self.config = config
        self.embed = TokenEmbedding(config, "encoder")
        self.blocks = nn.ModuleList(EncoderBlock(config, layer) for layer in range(config.n_layers))
        self.final_norm = nn.Identity() if config.norm == "post" else norm_of(config)

    def forward(
        self,
        ids: Tensor,
        *,
        is_token: Tensor | None = None,
        types: Tensor | None = None,
        mask: Tensor | None = None,
    ) -> Tensor:
        """[B, T] -> [B, T, d_model], one vector for each token.

        Args:
            ids: [B, T] whole numbers below vocab_size.
            is_token: [B, T] bool, False for padding, to which no query can attend.
            types: [B, T], 0 for the tokens of a first sentence and 1 for those of a second (BERT); all 0 when left out.
            mask: a further mask, broadcast to [B, H, T, T]; bool True = can attend, or float, added to the scores.
        Raises:
            InputError, TooLong, MaskError, TraceShapeError: an argument does not fit this model.
        """
        x = self.embed(ids, types=types)  # [B, T] -> [B, T, d_model]
        return self.through_blocks(x, is_token=is_token, mask=mask)  # [B, T, d_model]

    def through_blocks(
        self,
        x: Tensor,
        *,
        is_token: Tensor | None = None,
        mask: Tensor | None = None,
    ) -> Tensor:
        """The blocks without the embedding, for vectors x [B, T, d_model] from elsewhere; else like `forward`."""
        x = tap("encoder.embed", x)  # [B, T, d_model]
        shape = (*x.shape[:-2], self.config.n_heads, x.shape[-2], x.shape[-2])  # B, H, T, T
        # Joined once for all blocks; each attention gets the result as its mask.
        mask = join_masks(mask, is_causal=False, is_token=is_token, shape=shape, device=x.device)  # [B, H, T, T]
        for layer, block in enumerate(self.blocks):
            x = block(x, mask=mask, layer=layer)  # [B, T, d_model]
        return tap("encoder.out", self.final_norm(x))  # [B, T, d_model]


class Decoder(nn.Module):
    """Writes a text: from the tokens so far, a probability for each token of the vocabulary to come next.

        x = TokenEmbedding(ids)
        x = DecoderBlock_l(x, memory)       for l = 0 … L − 1; memory only where has_cross
        logits = x Eᵀ                       [B, T, V]; in pre-norm norm(x) Eᵀ. E is the token table where the two are
                                            tied (paper, GPT-2), else a matrix of its own (Llama)
        P(token t + 1 | tokens 0 … t) = softmax(logits_t)

    In training it predicts the next token at every position at once. That is why the mask is causal: a token that could
    attend to the next one would learn to copy it. decoding.py writes a text with it, token by token.

    Args:
        has_cross: whether the blocks attend to a source text too; False is a language model.
    Source: "Attention Is All You Need" (2017), sections 3.1 and 3.4; GPT-2 (2019), section 2.3.
    """

    def __init__(self, config: TransformerConfig, *, has_cross: bool = False) -> None:
        super().__init__()
        self.config, self.has_cross = config, has_cross
        self.embed = TokenEmbedding(config, "decoder")
        block = ParallelBlock if config.is_parallel else DecoderBlock
        self.blocks = nn.ModuleList(block(config, layer, has_cross=has_cross) for layer in range(config.n_layers))
        self.final_norm = nn.Identity() if config.norm == "post" else norm_of(config)
        self.to_vocabulary = nn.Linear(config.d_model, config.vocab_size, bias=False)  # d_model -> V
        if config.embedding.is_tied:
            self.to_vocabulary.weight = self.embed.tokens.weight  # [V, d_model]

    def forward(
        self,
        ids: Tensor,
        memory: Tensor | None = None,
        *,
        is_token: Tensor | None = None,
        memory_is_token: Tensor | None = None,
        cache: KeyValueCache | None = None,
    ) -> Tensor:
        """[B, T] -> [B, T, V], logits; the softmax of row t gives the probabilities of token t + 1.

        Args:
            ids: [B, T] whole numbers below vocab_size; with a cache, only the tokens it has not read.
            memory: [B, Ts, d_model] from an encoder, where has_cross; or [1, Ts, d_model], the same for every text.
            is_token: [B, T] bool, False for padding; with a cache, for the tokens before as well.
            memory_is_token: [B, Ts] bool, the same for the source text.
            cache: keys and values of the tokens before; this call appends to it.
        Raises:
            InputError, TooLong, MaskError, TraceShapeError: an argument does not fit this model.
        """
        x = self.embed(ids, start=0 if cache is None else cache.n_tokens)  # [B, T] -> [B, T, d_model]
        x = self.through_blocks(x, memory, is_token=is_token, memory_is_token=memory_is_token, cache=cache)
        return self.logits(x)  # [B, T, d_model] -> [B, T, V]

    def logits(self, x: Tensor) -> Tensor:
        """The logits of what the blocks made, [..., d_model] -> [..., V]."""
        return ops.cap_scores(self.to_vocabulary(x), self.config.embedding.softcap)  # [..., V]

    def through_blocks(
        self,
        x: Tensor,
        memory: Tensor | None = None,
        *,
        is_token: Tensor | None = None,
        memory_is_token: Tensor | None = None,
        cache: KeyValueCache | None = None,
    ) -> Tensor:
        """The blocks without embedding and logits, [B, T, d_model] -> [B, T, d_model]; the rest as for `forward`."""
        check_memory(memory, memory_is_token, has_cross=self.has_cross)
        x = tap("decoder.embed", x)  # [B, T, d_model]
        n_keys = x.shape[-2] + (0 if cache is None else cache.n_tokens)  # T_k: the tokens before and these
        shape = (*x.shape[:-2], self.config.n_heads, x.shape[-2], n_keys)  # B, H, T, T_k
        # Joined once for all blocks, or once for each window where some blocks look back only so far.
        windows = [self.config.attention_of(layer).window for layer in range(len(self.blocks))]
        masks = {
            window: join_masks(None, is_causal=True, is_token=is_token, shape=shape, device=x.device, window=window)
            for window in dict.fromkeys(windows)
        }  # [B, H, T, T_k] each
        memory_mask = None
        if memory is not None:
            shape = (*shape[:-1], memory.shape[-2])  # B, H, T, Ts
            memory_mask = join_masks(
                None, is_causal=False, is_token=memory_is_token, shape=shape, device=x.device, name="memory_is_token"
            )  # [B, H, T, Ts]
        for layer, (block, window) in enumerate(zip(self.blocks, windows, strict=True)):
            x = block(x, memory, mask=masks[window], memory_mask=memory_mask, layer=layer, cache=cache)
        return tap("decoder.out", self.final_norm(x))  # [B, T, d_model]


class EncoderDecoder(nn.Module):
    """Reads a source text and writes a target text.

    Called, it predicts the next token at each position of a target text, as in training. To write a text:

        # [1, Ts] -> [1, Ts, d_model]
        memory = model.encoder(source)
        greedy_search(model.decoder, [START], end=END, max_new_tokens=20, memory=memory).ids   # decoding.py

    Args:
        config: the encoder, and the decoder too where no target is given. Each has a token table of its own; the paper
            (section 3.4) shares one, which needs one vocabulary for both languages.
        target: the decoder, where it differs (vocabulary, number of layers); with the same d_model.
    Raises:
        InputError: the two differ in d_model.
    Source: "Attention Is All You Need" (2017), figure 1.
    """

    def __init__(self, config: TransformerConfig, target: TransformerConfig | None = None) -> None:
        super().__init__()
        target = config if target is None else target
        if target.d_model != config.d_model:
            raise InputError(id="widths-differ", encoder=str(config.d_model), decoder=str(target.d_model))
        self.encoder = Encoder(config)
        self.decoder = Decoder(target, has_cross=True)

    def forward(
        self,
        source: Tensor,
        target: Tensor,
        *,
        source_is_token: Tensor | None = None,
        target_is_token: Tensor | None = None,
    ) -> Tensor:
        """Source ids [B, Ts] and target ids so far [B, T] -> logits [B, T, V] of the next target token.

        Args:
            source: whole numbers below the source vocabulary's size.
            target: whole numbers; begins with the start token.
            source_is_token, target_is_token: [B, Ts] and [B, T] bool, False for padding.
        Returns:
            row t is about target token t + 1: in training, pass the target without its last token and compare with the
            target without its first.
        """
        memory = self.encoder(source, is_token=source_is_token)  # [B, Ts] -> [B, Ts, d_model]
        return self.decoder(target, memory, is_token=target_is_token, memory_is_token=source_is_token)  # [B, T, V]
