"""What config.json says of self-attention beyond sizes: heads, widths, windows, rotary positions; as our styles.

Both forms are read: that of transformers 5 (`rope_parameters`, `layer_types`) and that before it (`rope_theta`,
`rope_scaling`). What our blocks do not compute is refused.
"""

import math
from collections.abc import Mapping
from typing import Any

import torch
from torch import Tensor

from attnviz.core.errors import InputError, UnsupportedModel
from attnviz.models.config import AttentionStyle, RotaryStyle
from attnviz.models.positions import rotary_frequencies
from attnviz.models.support.hf_names import NameMap

Settings = Mapping[str, Any]
SLIDING, FULL = "sliding_attention", "full_attention"


def setting(config: Settings, names: tuple[str, ...]) -> object:
    """What config.json calls by one of several names."""
    return next((config[name] for name in names if config.get(name) is not None), None)


def attention_styles(config: Settings, family: NameMap, d_model: int, n_heads: int, n_layers: int) -> tuple[
    AttentionStyle, ...
]:  # fmt: skip
    """One style for each block of a model that rotates q and k."""
    head_width = config.get("head_dim") or d_model // n_heads
    own_scale = config.get("query_pre_attn_scalar")
    kinds = _kinds(config, family, n_layers)
    window = config.get("sliding_window")
    if SLIDING in kinds and not isinstance(window, int):
        raise InputError(id="config-window", came=repr(window))
    by_kind = {
        kind: AttentionStyle(
            n_kv_heads=config.get("num_key_value_heads"),
            head_width=None if head_width * n_heads == d_model else head_width,
            rotary=_rotary(config, kind, head_width),
            window=window if kind == SLIDING else None,
            softcap=config.get("attn_logit_softcapping"),
            scale=None if own_scale is None else float(own_scale) ** -0.5,
            **family.attention,
        )
        for kind in dict.fromkeys(kinds)
    }
    return tuple(by_kind[kind] for kind in kinds)


def _kinds(config: Settings, family: NameMap, n_layers: int) -> list[str]:
    """Which blocks look back only so far, and which at all tokens."""
    if family.windows == "" or config.get("sliding_window") is None or config.get("use_sliding_window") is False:
        return [FULL] * n_layers
    if family.windows == "all":
        return [SLIDING] * n_layers
    kinds = config.get("layer_types")
    if not isinstance(kinds, list) or len(kinds) != n_layers or not set(kinds) <= {SLIDING, FULL}:
        known = (repr(SLIDING), repr(FULL))
        raise UnsupportedModel(id="not-our-layer-types", came=repr(kinds), known=known, n=n_layers)
    return kinds


def _rotary(config: Settings, kind: str, head_width: int) -> RotaryStyle:
    """The rotation of one kind of block: its θ, how many numbers of a head, and its table where that is another."""
    told: dict[str, Any] = dict(config.get("rope_parameters") or {})
    if not told:
        told = dict(config.get("rope_scaling") or {})
        told.setdefault("rope_theta", config.get("rope_theta", config.get("rotary_emb_base")))
        told.setdefault("partial_rotary_factor", config.get("partial_rotary_factor", config.get("rotary_pct", 1.0)))
    told = told.get(kind, told)  # Gemma 3 has two
    theta, kind_of_table = told.get("rope_theta"), told.get("rope_type", told.get("type", "default"))
    if not isinstance(theta, int | float):
        raise InputError(id="config-theta", came=repr(theta))
    if kind_of_table not in TABLES:
        known = tuple(map(repr, TABLES))
        raise UnsupportedModel(id="not-our-rotary-table", came=repr(kind_of_table), known=known)
    width = int(head_width * told.get("partial_rotary_factor", 1.0))
    frequencies, magnitude = TABLES[kind_of_table](rotary_frequencies(width, theta), {**told, "theta": theta}, config)
    return RotaryStyle(
        theta=float(theta), width=None if width == head_width else width, magnitude=magnitude,
        frequencies=None if frequencies is None else tuple(frequencies.tolist()),
    )  # fmt: skip


Table = tuple[
    Tensor | None, float
]  # radians a token of each pair, None = θ's own; and what both waves are multiplied by


def _as_theta_says(plain: Tensor, told: Settings, config: Settings) -> Table:
    return None, 1.0


def _linear(plain: Tensor, told: Settings, config: Settings) -> Table:
    """Positions closer together, for longer texts. Source: Chen et al. 2023, equation 4."""
    return plain / float(told["factor"]), 1.0


def _llama3(plain: Tensor, told: Settings, config: Settings) -> Table:
    """Slow pairs are slowed down by a factor, fast ones stay, and between the two it changes gradually.

    Source: Llama 3.1 (2024), `apply_scaling` of its reference code; Grattafiori et al. 2024, section 3.4.2.
    """
    factor, low, high = (float(told[name]) for name in ("factor", "low_freq_factor", "high_freq_factor"))
    turns = float(told["original_max_position_embeddings"]) * plain / (2 * math.pi)  # [width/2], in a whole text
    share = ((turns - low) / (high - low)).clamp(0.0, 1.0)  # [width/2]: 1 keeps, 0 slows down
    return plain * (share + (1.0 - share) / factor), 1.0


def _yarn(plain: Tensor, told: Settings, config: Settings) -> Table:
    """As for Llama 3, gradually by the number of the pair; and all scores grow a little with the factor.

    Source: Peng et al. 2023 (YaRN), sections 3.2 and 3.4, as transformers computes it.
    """
    length = float(told["original_max_position_embeddings"])
    factor = told.get("factor") or config["max_position_embeddings"] / length
    width, log_theta = 2 * len(plain), 2 * math.log(told["theta"])
    fast, slow = (  # the number of the pair that turns so often in a whole text
        width * math.log(length / (turns * 2 * math.pi)) / log_theta
        for turns in (told.get("beta_fast") or 32, told.get("beta_slow") or 1)
    )
    if told.get("truncate", True):
        fast, slow = math.floor(fast), math.ceil(slow)
    fast, slow = max(fast, 0), min(slow, width - 1)
    number = torch.arange(len(plain), dtype=torch.float32)  # [width/2]
    slowed = ((number - fast) / (slow - fast or 0.001)).clamp(0.0, 1.0)  # [width/2]: 0 keeps, 1 slows down
    magnitude = told.get("attention_factor")
    if magnitude is None:
        over, under = told.get("mscale"), told.get("mscale_all_dim")
        magnitude = _grown(factor, over) / _grown(factor, under) if over and under else _grown(factor, 1.0)
    return plain * ((1.0 - slowed) + slowed / factor), float(magnitude)


def _grown(factor: float, by: float) -> float:
    return 0.1 * by * math.log(factor) + 1.0 if factor > 1 else 1.0


TABLES = {"default": _as_theta_says, "linear": _linear, "llama3": _llama3, "yarn": _yarn}
