"""One run in a process of its own, for its memory: `python -m benchmarks.capture_alone trace|plain|eager|preview N`.

Prints JSON: seconds of the run, and the bytes of its peak above what was in memory before.
"""

import json
import sys
import time
from pathlib import Path
from typing import Any

import torch

from attnviz.pretrained.model import PretrainedModel
from benchmarks import capture, gpt2size


def main(mode: str, n: int) -> None:
    record = capture.head(n) if mode == "preview" else None
    model = None if mode == "preview" else gpt2size.ours()
    module = gpt2size.plain("sdpa" if mode == "plain" else "eager") if mode in ("plain", "eager") else None
    text = gpt2size.text_of(n)
    ids = None if model is None else gpt2size.ids_of(n, model)
    asked = {"output_attentions": True} if mode == "eager" else {}

    def run() -> object:
        if record is not None:
            return record.preview(0)
        if module is not None:
            return module(input_ids=ids, use_cache=False, **asked)
        return model.trace(text) if model is not None else None

    if model is not None:
        warm(model, module)
    forget_peak()
    before = status("VmRSS")
    began = time.perf_counter()
    with torch.inference_mode():
        kept = run()
    seconds = time.perf_counter() - began
    print(json.dumps({"seconds": seconds, "peak": status("VmHWM") - before}))
    del kept


def warm(model: PretrainedModel, module: Any) -> None:
    """One short run, so that what libraries load once is no part of what a text takes."""
    text = gpt2size.text_of(64)
    with torch.inference_mode():
        if module is None:
            model.trace(text)
        else:
            module(input_ids=gpt2size.ids_of(64, model), use_cache=False)


def forget_peak() -> None:
    """Let the system count this process's peak anew."""
    Path("/proc/self/clear_refs").write_text("5")


def status(name: str) -> int:
    """Bytes of one line of /proc/self/status."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(name))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
