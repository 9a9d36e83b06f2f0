"""A trace as one file: safetensors for the numbers, JSON in its header for the rest. Nothing in it can run.

A file may come from anyone: sizes, names and shapes are checked before anything is believed.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

from safetensors import SafetensorError, safe_open
from safetensors.torch import load, save_file
from torch import Tensor

from attnviz.core.errors import AttnvizError, TraceFileError
from attnviz.core.masks import Mask, Toeplitz
from attnviz.core.site import Site
from attnviz.trace.qk import QueryKey
from attnviz.trace.records import AttentionRecord, Kept, Replay
from attnviz.trace.tokens import TokenPair, Tokens
from attnviz.trace.trace import Card, Prediction, Trace, Verified

FORMAT = "attnviz trace 1"
HEADER_BYTES = 64 << 20  # a header larger than this is no trace of ours


def write(trace: Trace, path: Path, *, parameters: bool) -> None:
    """Write a trace; see `Trace.save`."""
    if not path.parent.is_dir():
        raise TraceFileError(
            f"There is no folder {str(path.parent)!r} to write to. Create it first.",
            id="no-folder",
            folder=str(path.parent),
        )
    tensors: dict[str, Tensor] = {f"stream/{point}": value for point, value in trace.stream.items()}
    for key, record in trace.records.items():
        tensors |= {f"record/{key}/{name}": value for name, value in _record_tensors(record).items()}
    if trace.prediction is not None:
        tensors |= {"prediction/ids": trace.prediction.ids, "prediction/probabilities": trace.prediction.probabilities}
    if parameters:
        for point, matrices in trace.matrices.items():
            tensors |= {f"matrix/{point}/{name}": value for name, value in matrices.items()}
    whole = {name: value.detach().cpu().clone().contiguous() for name, value in tensors.items()}
    save_file(whole, path, metadata={"format": FORMAT, "trace": json.dumps(_header(trace), ensure_ascii=False)})


def _header(trace: Trace) -> dict[str, Any]:
    return {
        "card": asdict(trace.card),
        "source": asdict(trace.tokens.source),
        "target": None if trace.tokens.target is None else asdict(trace.tokens.target),
        "records": {key: _record_header(record) for key, record in trace.records.items()},
        "prediction": None if trace.prediction is None else trace.prediction.texts,
        "verified": None if trace.verified is None else asdict(trace.verified),
        "edits": trace.edits,
        "versions": dict(trace.versions),
    }


def _record_header(record: AttentionRecord) -> dict[str, Any]:
    source, mask = record.source, record.source.mask
    made_of = source if isinstance(source, Replay) else source.product
    return {
        "kind": "replay" if isinstance(source, Replay) else "kept",
        "scale": None if made_of is None else made_of.scale,
        "is_all": source.product.is_all if isinstance(source, Kept) and source.product is not None else None,
        "softcap": source.softcap if isinstance(source, Replay) else None,
        "mask": {
            "n_queries": mask.n_queries, "n_keys": mask.n_keys, "causal": mask.causal, "window": mask.window,
            "offset": mask.offset,
        },
    }  # fmt: skip


def _record_tensors(record: AttentionRecord) -> dict[str, Tensor]:
    source, mask = record.source, record.source.mask
    parts: dict[str, Tensor | None] = {"v": source.v, "sinks": source.sinks, "padding": mask.padding}
    made_of = source if isinstance(source, Replay) else source.product
    parts |= {} if made_of is None else {"q": made_of.q, "k": made_of.k}
    parts |= {"kept": source.kept} if isinstance(source, Kept) else {}
    parts |= {f"edited/{name}": value for name, value in record.edited.items()}
    if mask.rule is not None:  # a rule is code: written out as what it allows
        rule_only = Mask(mask.n_queries, mask.n_keys, offset=mask.offset, rule=mask.rule, allowed=mask.allowed)
        parts["allowed"] = rule_only.allowed_rows(0, mask.n_queries)
    elif mask.allowed is not None:
        parts["allowed"] = mask.allowed
    if mask.bias is not None:
        is_vector = isinstance(mask.bias, Toeplitz)
        parts["toeplitz" if is_vector else "bias"] = mask.bias.values if isinstance(mask.bias, Toeplitz) else mask.bias
    return {name: value for name, value in parts.items() if value is not None}


def read(path: Path) -> Trace:
    """Read a trace; see `Trace.load`."""
    if not path.is_file():
        raise TraceFileError(f"There is no file {str(path)!r}.", id="no-file", path=path.name)
    with _explained(path.name), safe_open(path, framework="pt") as file:
        header = _checked(file.metadata() or {}, path.name)
        return _trace(header, {name: file.get_tensor(name) for name in file.keys()})  # noqa: SIM118


def read_bytes(content: bytes, name: str) -> Trace:
    """Read a trace that is no file of this machine.

    Args:
        name: what the errors call it.
    Raises:
        TraceFileError: it is cut short, or not a trace.
    """
    with _explained(name):
        tensors = load(content)  # checks sizes and places
        size = int.from_bytes(content[:8], "little")
        metadata = json.loads(content[8 : 8 + size]).get("__metadata__", {})
        return _trace(_checked(metadata, name), tensors)


def _checked(metadata: dict[str, str], name: str) -> dict[str, Any]:
    """The header of a trace of ours."""
    if metadata.get("format") != FORMAT:
        raise TraceFileError(
            f"{name} is not a trace of this version. Expected {FORMAT!r}, came "
            f"{str(metadata.get('format'))[:40]!r}. Make it again with Trace.save().",
            id="not-a-trace", path=name,
        )  # fmt: skip
    if len(metadata["trace"]) > HEADER_BYTES:
        raise TraceFileError(f"The header of {name} is too large.", id="broken-trace", path=name)
    header: dict[str, Any] = json.loads(metadata["trace"])
    return header


@contextmanager
def _explained(name: str) -> Iterator[None]:
    """One sentence for whatever a broken file runs into."""
    try:
        yield
    except TraceFileError:
        raise
    except (
        SafetensorError, AttnvizError, OSError, ValueError, LookupError, TypeError, AttributeError, RuntimeError,
    ) as error:  # fmt: skip
        raise TraceFileError(
            f"{name} is cut short or not a trace ({type(error).__name__}). Make it again with Trace.save().",
            id="broken-trace", path=name,
        ) from error  # fmt: skip


def _trace(header: dict[str, Any], tensors: dict[str, Tensor]) -> Trace:
    def under(prefix: str) -> dict[str, Tensor]:
        return {name.removeprefix(prefix): value for name, value in tensors.items() if name.startswith(prefix)}

    matrices: dict[str, dict[str, Tensor]] = {}
    for name, value in under("matrix/").items():
        point, _, part = name.rpartition("/")
        matrices.setdefault(point, {})[part] = value
    records = {
        key: _record(Site.parse(key), part, under(f"record/{key}/"), matrices.get(key, {}))
        for key, part in header["records"].items()
    }
    prediction = None
    if header["prediction"] is not None:
        texts = tuple(tuple(row) for row in header["prediction"])
        prediction = Prediction(tensors["prediction/ids"], tensors["prediction/probabilities"], texts)
    return Trace(
        Card(**_tuples(header["card"])),
        TokenPair(_tokens(header["source"]), None if header["target"] is None else _tokens(header["target"])),
        records,
        under("stream/"),
        prediction,
        None if header["verified"] is None else Verified(**header["verified"]),
        tuple(header["edits"]),
        header["versions"],
        matrices,
    )


def _record(
    site: Site, header: dict[str, Any], parts: dict[str, Tensor], matrices: dict[str, Tensor]
) -> AttentionRecord:
    bias: Tensor | Toeplitz | None = parts.get("bias")
    if "toeplitz" in parts:
        bias = Toeplitz(parts["toeplitz"], header["mask"]["n_queries"])
    mask = Mask(**header["mask"], padding=parts.get("padding"), allowed=parts.get("allowed"), bias=bias)
    for name in ("q", "k", "v", "kept"):
        if name in parts and (parts[name].ndim != 3 or not parts[name].is_floating_point()):
            raise TraceFileError(f"{name} of {site} is not a float matrix a head.", id="broken-trace", path=site.key)
    sinks = parts.get("sinks")
    source: Replay | Kept
    if header["kind"] == "replay":
        softcap = None if header["softcap"] is None else float(header["softcap"])
        source = Replay(parts["q"], parts["k"], parts["v"], float(header["scale"]), mask, softcap, sinks)
    else:
        made_of = None
        if "q" in parts:
            made_of = QueryKey(parts["q"], parts["k"], float(header["scale"]), bool(header["is_all"]))
            if not made_of.makes(parts["kept"]):
                raise TraceFileError(f"q and k of {site} cannot make its scores.", id="broken-trace", path=site.key)
        source = Kept(parts["kept"], parts["v"], mask, sinks, made_of)
    edited = {name.removeprefix("edited/"): value for name, value in parts.items() if name.startswith("edited/")}
    return AttentionRecord(site, source, matrices.get("w_o"), matrices.get("b_o"), edited)


def _tokens(header: dict[str, Any]) -> Tokens:
    spans = tuple((int(a), int(b)) for a, b in header.pop("spans"))
    return Tokens(spans=spans, **_tuples(header))


def _tuples(header: dict[str, Any]) -> dict[str, Any]:
    return {name: tuple(value) if isinstance(value, list) else value for name, value in header.items()}
