"""From a folder to a model: checks it, loads offline.

Never runs a folder's code, opens a pickle or asks the network.
"""

import atexit
import hashlib
import re
import shutil
import tempfile
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attnviz.core.errors import WrongWeights
from attnviz.pretrained.known_models import Origin
from attnviz.pretrained.loading.adapter import TaskHead, base_of, has_tokenizer, is_adapter, with_adapter
from attnviz.pretrained.loading.device import Placement
from attnviz.pretrained.loading.folder import Shapes, check_folder
from attnviz.pretrained.loading.meta_load import OFFLINE, check_size, refuse_other_input, refusing_errors

if TYPE_CHECKING:
    from torch.nn import Module
    from transformers import PreTrainedConfig, PreTrainedModel, PreTrainedTokenizerBase

    from attnviz.pretrained.model import PretrainedModel

MEMORY: dict[str | int, str] | None = None  # of each device that a model is spread over; None = what accelerate finds
LORA = ".lora_"  # in the names of its tensors, whatever stands before it
CONSTANT = re.compile(
    r"(^|\.)(position_ids|masked_bias|inv_freq)$"
)  # tables that older checkpoints keep; models make them
CAUSAL = re.compile(r"attn\.bias$|attention\.bias$")  # one of them is a mask [1, 1, T, T] under the name of a bias


def check_file(path: Path, sha256: str) -> None:
    came = sha256_of(path)
    if came != sha256:
        raise WrongWeights(id="wrong-weights", file=str(path), expected=sha256, came=came)


def sha256_of(*files: Path) -> str:
    """The hash of files one after the other."""
    digest = hashlib.sha256()
    for file in files:
        with open(file, "rb") as opened:
            hashlib.file_digest(opened, lambda: digest)
    return digest.hexdigest()


def load_folder(folder: Path, placement: Placement, origin: Origin | None = None) -> "PretrainedModel":
    """A model from a folder as transformers saves it."""
    origin = origin or Origin(str(folder), folder.resolve().name, source=str(folder))
    if is_adapter(folder):
        return load_adapter(folder, placement, origin)
    from attnviz.pretrained.loading.build import build  # imports transformers

    whole, tokenizer = load_module(folder, placement, origin.name)
    return build(whole, tokenizer, replace(origin, left_out=left_out_head(whole.config)))


def load_adapter(folder: Path, placement: Placement, origin: Origin) -> "PretrainedModel":
    """The base that a LoRA names, with the LoRA merged into its weights, held to what the two give unmerged."""
    home, fields, head = base_of(folder)
    from attnviz.pretrained.loading.in_memory import held, merged, outputs_of  # imports transformers

    spelled = folder if has_tokenizer(folder) else home
    whole, tokenizer = load_module(home, placement, origin.name, spelled, head=head)
    both = with_adapter(whole, folder, fields)
    expected = outputs_of(both.get_base_model(), origin.name)
    return held(merged(both, origin.name), tokenizer, origin, expected)


def load_module(
    folder: Path, placement: Placement, name: str, tokenizer_folder: Path | None = None, *,
    head: TaskHead | None = None,
) -> tuple["PreTrainedModel", "PreTrainedTokenizerBase"]:  # fmt: skip
    """The eager module in eval(), with its language-model head if the checkpoint has one, and its tokenizer; refused
    where the folder is no whole, harmless model, or one that is too large.

    Args:
        head: what an adapter brings in place of the checkpoint's own head.
    """
    shapes = check_folder(folder)
    from transformers import AutoConfig, AutoTokenizer  # takes seconds

    with refusing_errors(folder):
        config = AutoConfig.from_pretrained(folder, **OFFLINE)
        if head is not None:
            head.put_on(config)
        check_size(folder, config, shapes, placement)
        kind = auto_class(config)
        refuse_other_input(kind._model_mapping.get(type(config), None), name)
        tokenizer = AutoTokenizer.from_pretrained(tokenizer_folder or folder, **OFFLINE)
        whole, info = kind.from_pretrained(
            folder, **OFFLINE, config=config, use_safetensors=True, attn_implementation="eager", dtype=placement.dtype,
            output_loading_info=True, **spread_options(placement),
        )  # fmt: skip
    missing, base = info["missing_keys"], whole.base_model
    if head is not None:
        refuse_gaps(folder, [key for key in missing if key not in head.weights])
        missing = ()
    inside = [name for name in missing if name.startswith(f"{whole.base_model_prefix}.") and "pooler" not in name]
    is_headless = missing and not inside
    if base is not whole and is_headless:
        whole, missing = base, ()  # transformers made up a head, whose predictions would mean nothing
    refuse_missing(folder, missing)
    refuse_unused(folder, info["unexpected_keys"], whole, shapes)
    refuse_nan(folder, whole)
    whole = whole.eval().requires_grad_(False)
    leave_file(whole)
    return whole if placement.is_spread else whole.to(placement.device), tokenizer


def leave_file(whole: "PreTrainedModel") -> None:
    """Copy a model's weights, tensor by tensor, out of the file that transformers maps into memory.

    Whoever writes over such a file changes the model that runs; whoever shortens it ends the process. Layers of a
    spread model that lie on the disk (meta here) are read from it in each run.
    """
    for tensor in (*whole.parameters(), *whole.buffers()):
        if tensor.device.type == "cpu":
            tensor.data = tensor.data.clone()


def spread_options(placement: Placement) -> dict[str, Any]:
    """How transformers is told to lay a model's layers where there is room; what goes to the disk goes with us."""
    if not placement.is_spread:
        return {}
    folder = tempfile.mkdtemp(prefix="attnviz-layers-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return {"device_map": "auto", "max_memory": MEMORY, "offload_folder": folder}


def auto_class(config: "PreTrainedConfig") -> Any:
    """The class that holds a checkpoint's own head, of a language model or a task; else that of the base alone."""
    from transformers import (
        AutoModel,
        AutoModelForCausalLM,
        AutoModelForMaskedLM,
        AutoModelForQuestionAnswering,
        AutoModelForSeq2SeqLM,
        AutoModelForSequenceClassification,
        AutoModelForTokenClassification,
    )
    from transformers.models.auto import modeling_auto as names

    named = (config.architectures or [""])[0]
    kinds = (
        (AutoModelForSeq2SeqLM, names.MODEL_FOR_SEQ_TO_SEQ_CAUSAL_LM_MAPPING_NAMES),
        (AutoModelForMaskedLM, names.MODEL_FOR_MASKED_LM_MAPPING_NAMES),
        (AutoModelForCausalLM, names.MODEL_FOR_CAUSAL_LM_MAPPING_NAMES),
        (AutoModelForSequenceClassification, names.MODEL_FOR_SEQUENCE_CLASSIFICATION_MAPPING_NAMES),
        (AutoModelForTokenClassification, names.MODEL_FOR_TOKEN_CLASSIFICATION_MAPPING_NAMES),
        (AutoModelForQuestionAnswering, names.MODEL_FOR_QUESTION_ANSWERING_MAPPING_NAMES),
    )
    for kind, head_class in kinds:
        # BertForPreTraining holds BertForMaskedLM's head and one more
        if head_class.get(config.model_type) in (named, named.replace("ForPreTraining", "ForMaskedLM")):
            return kind
    return AutoModel


def left_out_head(config: "PreTrainedConfig") -> str:
    """The class that a checkpoint names where it is a task's head that is not read, such as a classifier's; else ""."""
    named = (config.architectures or [""])[0]
    return named if "For" in named and auto_class(config).__name__ == "AutoModel" else ""


def refuse_missing(folder: Path, missing: Collection[str]) -> None:
    """Refuse weights with gaps, which transformers fills with random numbers. A pooler comes after all attention."""
    refuse_gaps(folder, [name for name in missing if "pooler" not in name])


def refuse_gaps(folder: Path, missing: Collection[str]) -> None:
    gaps = sorted(missing)
    if gaps:
        raise WrongWeights(id="missing-weights", folder=str(folder), n=len(gaps), name=gaps[0])


def refuse_nan(folder: Path, whole: "PreTrainedModel") -> None:
    """Refuse weights that hold NaN or infinite numbers: a text that never meets them would look right."""
    import torch

    for name, weight in whole.named_parameters():
        if weight.is_meta:  # on the disk, where it is read from when its layer runs
            weight = offloaded(whole, name)
        if weight.numel() and not all(bool(end.isfinite()) for end in torch.aminmax(weight)):
            dtype = str(weight.dtype)[6:]
            raise WrongWeights(id="weights-no-numbers", folder=str(folder), dtype=dtype, name=name)


def offloaded(whole: "PreTrainedModel", name: str) -> Any:
    """A parameter that accelerate keeps off its module."""
    path, _, parameter = name.rpartition(".")
    hook: Any = whole.get_submodule(path)._hf_hook
    return hook.weights_map[parameter]


def refuse_unused(folder: Path, unused: Collection[str], whole: "PreTrainedModel", shapes: Shapes) -> None:
    """Refuse weights that hold what the configuration has no place for: more layers, a bias, a norm, a LoRA, scales.

    Another task's head above the model, a pooler, and constants that the model makes itself are ignored.
    """
    masks = tuple(name for name, shape in shapes.items() if CAUSAL.search(name) and is_mask(shape))
    over = sorted(name for name in unused if not name.endswith(masks) and (LORA in name or has_no_place(name, whole)))
    if over:
        raise WrongWeights(id="unused-weights", folder=str(folder), n=len(over), name=over[0])


def is_mask(shape: tuple[int, ...]) -> bool:
    return len(shape) == 4 and shape[:2] == (1, 1) and shape[2] == shape[3]


def has_no_place(name: str, whole: "PreTrainedModel") -> bool:
    """Whether a tensor that was not loaded belongs to a part of the model that runs."""
    base, prefix = whole.base_model, f"{whole.base_model_prefix}."
    path = name.removeprefix(prefix)
    if CONSTANT.search(name) is not None or path in dict(base.named_buffers()):
        return False
    if nearest(path, base) is not None:
        return True
    if base is not whole and path != name:  # of the base itself; a pooler comes after all attention
        return "pooler" not in path
    above = nearest(name, whole)
    return above is not None and bool(above._parameters)


def nearest(name: str, root: "Module") -> "Module | None":
    """The innermost part of a module that a tensor of that name lies in; None where it has no such part."""
    modules, parents = dict(root.named_modules()), name.split(".")[:-1]
    inside = (modules.get(".".join(parents[:n])) for n in range(len(parents), 0, -1))
    return next((part for part in inside if part is not None), None)
