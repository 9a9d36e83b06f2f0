"""From a transformers model in memory to one that can be traced: a copy of the object, never saved and read again.

So hooks, replaced layers and changed forwards run in it too, and what it computes is held to what the given one does.
"""

import copy
import hashlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.utils import prune
from torch.overrides import TorchFunctionMode
from transformers import PreTrainedModel

from attnviz.core.errors import AttnvizError, InputError, UnsupportedModel
from attnviz.core.recording import largest_difference
from attnviz.pretrained.capture.forward import inputs_of
from attnviz.pretrained.capture.rope_reset import rope_as_loaded
from attnviz.pretrained.known_models import Origin
from attnviz.pretrained.loading.build import build, embedding_shape
from attnviz.pretrained.loading.device import DTYPES, Device, Dtype, Placement, placement
from attnviz.pretrained.loading.meta_load import reason_of, refuse_other_input, refuse_two_models
from attnviz.pretrained.model import PretrainedModel
from attnviz.pretrained.reference_weights import CheckText, check_texts
from attnviz.pretrained.task_head import task_of
from attnviz.pretrained.tokens.tokenize import SentenceTokenizer

TOLERANCE = {torch.float32: 1e-4, torch.float16: 1e-2, torch.bfloat16: 6e-2}  # of the largest output, or of 1

Outputs = Sequence[Tensor]  # of each check text, without its padding


def load_in_memory(given: Any, tokenizer: object, device: Device, dtype: Dtype) -> PretrainedModel:
    """A copy of a model in memory as it is now; its revision tells it from what it was made of and what it becomes."""
    module = model_in(given)
    place = placement(device, dtype or (module.dtype if module.dtype in DTYPES.values() else None))
    tokenizer = tokenizer.tokenizer if isinstance(tokenizer, SentenceTokenizer) else tokenizer
    if not hasattr(tokenizer, "all_special_tokens"):
        raise InputError(id="needs-tokenizer", came=repr(tokenizer))
    title = Path(module.name_or_path or "").name or type(module).__name__
    refuse_unreadable(module, title, place)
    copy_of_given = copied(given, title)
    expected = outputs_of(module, title)
    whole = merged(copy_of_given, title)
    refuse_shared(whole, module, title)
    origin = Origin(f"{title} in memory", title)
    return held(settled(whole, place), copy.deepcopy(tokenizer), origin, expected)


def model_in(given: Any) -> PreTrainedModel:
    """The transformers model that a PEFT model or a sentence transformer is around."""
    inner = given.get_base_model() if hasattr(given, "get_base_model") else given
    inner = getattr(inner, "transformers_model", inner)
    if not isinstance(inner, PreTrainedModel):
        raise InputError(id="no-transformers-model", kind=type(given).__name__)
    return inner


def refuse_unreadable(module: PreTrainedModel, name: str, placement: Placement) -> None:
    """What no copy of a model would change."""
    refuse_two_models(module.config, name)
    refuse_other_input(module, name)
    refuse_moved_layers(module, name)
    if placement.is_spread:
        raise InputError(id="spread-in-memory", model=name)


def refuse_moved_layers(module: PreTrainedModel, name: str) -> None:
    """Refuse a model whose layers were cut, doubled or moved after it was built: their numbers would be wrong."""
    built = as_built(module, name)
    now = dict(module.named_modules(remove_duplicate=False))
    for path, part in built.named_modules(remove_duplicate=False):
        came = now.get(path)
        expected: object
        has: object
        if isinstance(part, nn.ModuleList) and isinstance(came, nn.ModuleList):
            expected, has = len(part), len(came)
            is_moved = has != expected or len(set(came)) != len(set(part))
        else:
            expected, has = getattr(part, "layer_idx", None), getattr(came, "layer_idx", None)
            is_moved = None not in (expected, has) and has != expected
        if is_moved:
            raise UnsupportedModel(id="moved-layers", model=name, path=path, came=str(has), expected=str(expected))


def as_built(module: PreTrainedModel, name: str) -> PreTrainedModel:
    """What a model's configuration makes of its class, without memory; of transformers' under a person's own class."""
    known = (kind for kind in type(module).__mro__ if kind.__module__.startswith("transformers.models."))
    kind = next(known, type(module))
    try:
        with torch.device("meta"):
            return kind(copy.deepcopy(module.config))
    except Exception as error:
        raise UnsupportedModel(id="not-built", model=name, kind=kind.__name__, reason=str(error)) from error


def copied(given: Any, name: str) -> Any:
    if any(part.is_meta for part in model_in(given).parameters()):
        raise UnsupportedModel(id="cannot-copy", model=name, why="disk", what="")
    try:
        return copy.deepcopy(given)
    except Exception as error:  # whatever hangs on a model that cannot be copied, such as an open file in a hook
        pruned = next((path for path, part in model_in(given).named_modules() if is_pruned(part)), None)
        why, what = ("error", reason_of(error)) if pruned is None else ("pruned", pruned)
        raise UnsupportedModel(id="cannot-copy", model=name, why=why, what=what) from error


def is_pruned(module: nn.Module) -> bool:
    return any(isinstance(hook, prune.BasePruningMethod) for hook in module._forward_pre_hooks.values())


def refuse_shared(whole: PreTrainedModel, module: PreTrainedModel, name: str) -> None:
    """Refuse a copy that still runs parts of the given model: a changed forward that holds the one it replaced."""
    with SeesTensors(
        {id(tensor): path for path, tensor in (*module.named_parameters(), *module.named_buffers())}
    ) as seen:
        outputs_of(whole, name)
    if seen.paths:
        raise UnsupportedModel(id="shared-with-given", model=name, path=seen.paths[0])


class SeesTensors(TorchFunctionMode):
    """Notes which of some tensors, known by their id, the operators inside read."""

    def __init__(self, known: Mapping[int, str]) -> None:
        super().__init__()
        self.known = known
        self.paths: list[str] = []

    def __torch_function__(self, operator: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        read = [
            part
            for argument in (*args, *(kwargs or {}).values())
            for part in (argument if isinstance(argument, tuple) else (argument,))
        ]
        self.paths += [self.known[id(part)] for part in read if id(part) in self.known]
        return operator(*args, **(kwargs or {}))


def merged(given: Any, name: str) -> PreTrainedModel:
    """The model with its adapters in its own weights; a model without any as it is."""
    if not hasattr(given, "get_base_model"):
        return model_in(given)
    is_off = any(getattr(part, "disable_adapters", None) is True for part in given.modules())
    try:
        if not hasattr(given.base_model, "merge_and_unload"):
            raise TypeError("it adds prompts, which no weights hold")
        # in `with given.disable_adapter():` the model runs without them
        whole: PreTrainedModel = given.unload() if is_off else given.merge_and_unload()
    except Exception as error:
        raise UnsupportedModel(id="cannot-merge", model=name, reason=reason_of(error)) from error
    return whole


def settled(whole: PreTrainedModel, placement: Placement) -> PreTrainedModel:
    """The copy in eval(), eager, on its device and in its dtype; tables that no checkpoint holds keep theirs."""
    whole = whole.eval().requires_grad_(False)
    for part in whole.modules():  # transformers notes the residual stream by hooks; anew, they come after a person's
        vars(part).pop("_output_capturing_hooks_installed", None)
        for number, hook in list(part._forward_hooks.items()):
            if getattr(hook, "__module__", "") == "transformers.utils.output_capturing":
                del part._forward_hooks[number]
    tables = [
        (part, name, part._buffers[name]) for part in whole.modules() for name in part._non_persistent_buffers_set
    ]
    share_configurations(whole)
    whole.set_attn_implementation("eager")
    moved: Any = whole  # its `to` is typed as that of a wrapper
    moved.to(device=placement.device, dtype=placement.dtype)
    for part, name, table in tables:
        part._buffers[name] = None if table is None else table.to(placement.device)
    return whole


def share_configurations(whole: PreTrainedModel) -> None:
    """Give a layer that was copied with a configuration of its own that of its model, which says how it attends."""
    models = [part for part in whole.modules() if isinstance(part, PreTrainedModel)]
    for model in reversed(models):  # the innermost first
        theirs = {type(part_model.config): part_model.config for part_model in (*models, model)}
        for part in model.modules():
            config = vars(part).get("config")
            if config is not None and not isinstance(part, PreTrainedModel) and not is_one_of(config, models):
                vars(part)["config"] = theirs.get(type(config), config)


def is_one_of(config: object, models: Sequence[PreTrainedModel]) -> bool:
    return any(config is model.config for model in models)


def held(whole: PreTrainedModel, tokenizer: Any, origin: Origin, expected: Outputs) -> PretrainedModel:
    """The model that can be traced, if it computes what the given one did."""
    model = build(whole, tokenizer, replace(origin, revision=origin.revision or fingerprint(whole, expected)))
    difference = max(
        relative_difference(ours, theirs) for ours, theirs in zip(outputs_of(whole, origin.name), expected, strict=True)
    )
    dtypes = [whole.dtype, *(tensor.dtype for tensor in expected)]
    tolerance = max(TOLERANCE.get(dtype, TOLERANCE[torch.float32]) for dtype in dtypes)
    if not difference <= tolerance:
        raise UnsupportedModel(id="other-model", model=origin.name, difference=difference, tolerance=tolerance)
    refuse_changed_inputs(model)
    return model


def outputs_of(module: PreTrainedModel, name: str) -> Outputs:
    """What a model makes of the two check texts: its logits, or its last hidden states."""
    try:
        texts = check_texts(module.config, embedding_shape(module)[0])
        with in_eval(module), rope_as_loaded(module), torch.inference_mode():
            return [output_of(module, text) for text in texts]
    except AttnvizError:
        raise
    except Exception as error:  # whatever a changed model makes of a plain text
        reason = str(error).strip().split("\n")[0].rstrip(".")
        raise UnsupportedModel(id="not-runnable", model=name, reason=reason) from error


def output_of(module: PreTrainedModel, text: CheckText) -> Tensor:
    run: Any = module  # its call is typed as that of a wrapper
    if module.get_output_embeddings() is None and (task_of(module) is None or module.config.is_encoder_decoder):
        run = module.base_model  # its head is not read, and may want another input
    made = run(**inputs_of(module, text.source, text.target))
    first = next(part for part in made.to_tuple() if isinstance(part, Tensor) and part.is_floating_point())
    is_by_token = first.shape[:2] == text.source.ids.shape
    return (first[text.source.padding.bool()] if is_by_token else first).cpu()


@contextmanager
def in_eval(module: nn.Module) -> Iterator[None]:
    """A model without its dropout, and afterwards as it was."""
    training = [part for part in module.modules() if part.training]
    try:
        for part in training:
            part.training = False
        yield
    finally:
        for part in training:
            part.training = True


def relative_difference(ours: Tensor, theirs: Tensor) -> float:
    largest = max(1.0, float(theirs.abs().max()))
    return largest_difference(ours.float(), theirs.float()) / largest if ours.shape == theirs.shape else float("inf")


def fingerprint(whole: PreTrainedModel, outputs: Outputs) -> str:
    """A hash of a model's weights and of what it makes of the check texts, which hooks change too."""
    digest = hashlib.sha256()
    named = [
        *whole.named_parameters(),
        *whole.named_buffers(),
        *((f"output {n}", output) for n, output in enumerate(outputs)),
    ]
    for name, tensor in named:
        digest.update(f"{name} {tuple(tensor.shape)} {tensor.dtype}".encode())
        digest.update(tensor.detach().cpu().contiguous().view(-1).view(torch.uint8).numpy().data)
    return digest.hexdigest()


def refuse_changed_inputs(model: PretrainedModel) -> None:
    """Refuse hooks that change what a layer reads: the stream of a trace is what the layer before it made."""
    layers = [layer for part in model.module.modules() if isinstance(part, nn.ModuleList) for layer in part]
    hooked = [layer for layer in layers if layer._forward_pre_hooks]
    seen: dict[nn.Module, list[Any]] = {layer: [] for layer in hooked}

    def note(layer: nn.Module, read: tuple[Any, ...]) -> None:
        seen[layer].append(read[0].clone() if read and isinstance(read[0], Tensor) else None)

    handles = [layer.register_forward_pre_hook(note, prepend=first) for layer in hooked for first in (True, False)]
    try:
        if hooked:
            outputs_of(model.module, model.card.name)
    finally:
        for handle in handles:
            handle.remove()
    for noted in seen.values():
        before, after = noted[0::2], noted[1::2]
        if any(stream is None or other is None or not torch.equal(stream, other)
               for stream, other in zip(before, after, strict=True)):  # fmt: skip
            raise UnsupportedModel(id="changed-inputs", model=model.card.name)
