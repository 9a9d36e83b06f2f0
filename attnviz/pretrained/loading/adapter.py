"""From a LoRA's folder to the model with the LoRA in its weights, by the package peft where it is installed.

Only safetensors are opened, and of its configuration only what is listed here is read: other fields can name code to
import, or patterns that never end.
"""

import re
import warnings
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from safetensors import SafetensorError
from safetensors.torch import load_file

from attnviz.core.errors import AttnvizError, UnsupportedModel, WrongWeights
from attnviz.pretrained.loading.folder import ADAPTER, CONFIG, INDEX, WEIGHTS, check_entries, read_json
from attnviz.pretrained.loading.hub import from_cache, is_hub_name
from attnviz.pretrained.loading.meta_load import reason_of

if TYPE_CHECKING:
    from torch import Tensor

ADAPTER_WEIGHTS = "adapter_model.safetensors"
READ = ("r", "lora_alpha", "use_rslora", "use_dora", "fan_in_fan_out", "modules_to_save", "rank_pattern",
        "alpha_pattern", "lora_bias")  # fmt: skip
# What training alone reads, and what says in patterns which modules the tensors are of: their names say it themselves.
UNREAD = frozenset(
    ["auto_mapping", "base_model_name_or_path", "ensure_weight_tying", "exclude_modules", "inference_mode",
     "layers_pattern", "layers_to_transform", "lora_dropout", "megatron_core", "peft_type", "peft_version",
     "qalora_group_size", "revision", "runtime_config", "target_modules", "task_type"]
)  # fmt: skip
AS_THEY_ARE = {"bias": "none", "init_lora_weights": (True, False, "gaussian")}  # the values that are read
PART = re.compile(r"base_model\.model\.(?P<module>.+?)\.lora_[^.]+(\.(weight|bias))?")  # the name of a LoRA's tensor
WITHIN = "base_model.model."  # before the name of a tensor of the model that an adapter holds whole
TASKS = {"SEQ_CLS": "SEQUENCE_CLASSIFICATION", "TOKEN_CLS": "TOKEN_CLASSIFICATION",
         "QUESTION_ANS": "QUESTION_ANSWERING"}  # fmt: skip
LABELS = re.compile(r"^(score|classifier|classifier\.out_proj)\.weight$")  # [labels, d], of a classifier or a tagger
COPY = re.compile(r"\.(modules_to_save|original_module)\.")
PLAIN = re.compile(r"[\w.^$]+")  # a name, as a pattern


def is_adapter(folder: Path) -> bool:
    return (folder / ADAPTER).is_file() and not any((folder / name).exists() for name in (WEIGHTS, INDEX))


@dataclass(frozen=True)
class TaskHead:
    """The head that a LoRA was trained with on a base that has another one, such as a classifier's."""

    task: str  # as peft says it
    weights: frozenset[str]  # the names of the model's tensors that the adapter holds
    n_labels: int | None  # None where its tensors do not say

    def put_on(self, config: Any) -> None:
        """Have transformers make the base with this head, where it knows one of this architecture."""
        from transformers.models.auto import modeling_auto as names

        classes = getattr(names, f"MODEL_FOR_{TASKS[self.task]}_MAPPING_NAMES")
        if config.model_type in classes:
            config.architectures = [classes[config.model_type]]
            if self.n_labels is not None and self.n_labels != config.num_labels:
                config.num_labels = self.n_labels


def head_of(folder: Path, said: dict[str, Any]) -> TaskHead | None:
    """The head that an adapter was trained for; None where it is the language model's own."""
    if said.get("task_type") not in TASKS:
        return None
    shapes = {name.removeprefix(WITHIN): tuple(tensor.shape) for name, tensor in tensors_of(folder).items()}
    rows = [shape[0] for name, shape in shapes.items() if LABELS.search(name) is not None]
    return TaskHead(said["task_type"], frozenset(shapes), rows[-1] if rows else None)


def base_of(folder: Path) -> tuple[Path, dict[str, Any], TaskHead | None]:
    """The folder of the model that a LoRA was trained on, how it is merged, and the head that comes with it; refused
    before anything is loaded."""
    check_entries(folder)
    said = read_json(folder / ADAPTER)
    if not (folder / ADAPTER_WEIGHTS).is_file():
        raise WrongWeights(id="no-adapter-weights", folder=str(folder))
    if find_spec("peft") is None:
        raise unmerged(folder, "peft")
    fields = fields_of(folder, said)
    return base_folder(folder, said.get("base_model_name_or_path")), fields, head_of(folder, said)


def has_tokenizer(folder: Path) -> bool:
    return (folder / "tokenizer.json").is_file() and (folder / "tokenizer_config.json").is_file()


def base_folder(folder: Path, base: object) -> Path:
    """Where the model lies that an adapter was trained on: the folder that it names, seen from here or from the
    adapter's own, or the hub's cache.
    """
    name = base if isinstance(base, str) else ""
    home = Path(name).expanduser()
    for place in (home, folder / home, folder.parent / home) if name else ():
        if (place / CONFIG).is_file():
            return place
    try:
        if is_hub_name(name):
            return from_cache(name, None).folder
    except AttnvizError:
        pass  # it was not fetched; nothing is, because a file says so
    raise UnsupportedModel(id="no-adapter-base", folder=str(folder), name=name)


def fields_of(folder: Path, said: dict[str, Any]) -> dict[str, Any]:
    """What a LoRA's configuration says of how it is merged; refused where it asks for more than is known here."""
    kind = said.get("peft_type")
    if kind != "LORA":
        raise unmerged(folder, "kind", str(kind))
    for name, value in said.items():
        known = AS_THEY_ARE.get(name)
        is_known = name in READ or name in UNREAD or not value or value == known or (
            isinstance(known, tuple) and value in known
        )  # fmt: skip
        if not is_known:
            raise unmerged(folder, "setting", f"{name}={str(value)[:80]}")
    patterns = [key for name in ("rank_pattern", "alpha_pattern") for key in said.get(name) or {}]
    odd = next((key for key in patterns if PLAIN.fullmatch(key) is None), None)
    if odd is not None:
        raise unmerged(folder, "pattern", odd[:80])
    return {name: said[name] for name in READ if said.get(name) is not None}


def with_adapter(whole: Any, folder: Path, fields: dict[str, Any]) -> Any:
    """A model of PEFT: the base with the LoRA beside the modules that its tensors name."""
    from peft import LoraConfig, get_peft_model, set_peft_model_state_dict

    tensors = tensors_of(folder)
    modules = sorted({match["module"] for name in tensors if (match := PART.fullmatch(name)) is not None})
    saved = tuple(fields.get("modules_to_save") or ())
    try:
        with warnings.catch_warnings(action="ignore"):
            fit_vocabulary(whole, tensors)
            both = get_peft_model(whole, LoraConfig(**fields, target_modules=modules))
            result: Any = set_peft_model_state_dict(both, tensors)
    except Exception as error:  # other modules or sizes than the base has, or numbers that are none
        raise unmerged(folder, "error", reason_of(error)) from error
    parts = ("lora_", *(f"{name}.modules_to_save" for name in saved))
    gaps = [name for name in result.missing_keys if any(part in name for part in parts)]
    if result.unexpected_keys or gaps:
        other = sorted([*result.unexpected_keys, *gaps])[0]
        raise unmerged(folder, "tensors", other)
    return both


def fit_vocabulary(whole: Any, tensors: "dict[str, Tensor]") -> None:
    """Make the base's table of tokens as long as the one that an adapter holds, which was trained with more tokens."""
    table = whole.get_input_embeddings()
    path = next(name for name, part in whole.named_modules() if part is table)
    rows = tensors.get(f"{WITHIN}{path}.weight")
    if rows is not None and len(rows) != len(table.weight):
        whole.resize_token_embeddings(len(rows), mean_resizing=False)


def tensors_of(folder: Path) -> "dict[str, Tensor]":
    """An adapter's tensors; a table that it holds whole, which peft writes under three names, by the one it reads."""
    try:
        tensors = load_file(folder / ADAPTER_WEIGHTS)
        copies = {name for name in tensors if COPY.search(name) and COPY.sub(".", name) in tensors}
        return {name: tensor for name, tensor in tensors.items() if name not in copies}
    except (SafetensorError, OSError) as error:
        raise WrongWeights(id="damaged-weights", file=str(folder / ADAPTER_WEIGHTS), reason=str(error)) from error


def unmerged(
    folder: Path, why: Literal["peft", "kind", "setting", "pattern", "tensors", "error"], what: str = ""
) -> UnsupportedModel:
    """The refusal of an adapter, with what of it cannot be read."""
    return UnsupportedModel(id="adapter", folder=str(folder), why=why, what=what)
