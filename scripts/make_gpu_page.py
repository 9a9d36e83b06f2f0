"""`make gpu`: runs the tests marked gpu and mps and the first rows of the targets on the device at hand, and writes
docs/gpu.md with the device and the date; where there is none, it refuses and leaves the page as it is.
"""

import datetime
import subprocess
import sys
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

import torch  # noqa: E402

from benchmarks import capture, gpt2size  # noqa: E402
from benchmarks.table import Row, in_turns, median_ratio, table  # noqa: E402

PAGE = ROOT / "docs" / "gpu.md"
ROUNDS = {64: 25, 256: 25, 1024: 15, 4096: 7}  # tokens: paired runs


def main() -> int:
    device = "cuda" if torch.cuda.is_available() else "mps" if torch.backends.mps.is_available() else None
    if device is None:
        print("Not run: torch finds neither a CUDA device nor an Apple GPU here.", file=sys.stderr)
        return 1
    name = torch.cuda.get_device_name() if device == "cuda" else "Apple GPU"
    marker = "gpu" if device == "cuda" else "mps"
    command = [sys.executable, "-m", "pytest", "-q", "-m", marker, "tests/parity", "tests/unit"]
    tests = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True)
    closing = tests.stdout.strip().splitlines()[-1]
    print(tests.stdout)
    rows = table(measured(torch.device(device)))
    today = datetime.datetime.now(datetime.UTC).date().isoformat()
    PAGE.write_text(
        f"# On a GPU\n\n{name}, torch {torch.__version__}, {today}.\n\nTests marked `{marker}`: {closing}\n\n"
        f"```text\n{rows}\n```\n",
        encoding="utf-8",
    )
    return tests.returncode


def measured(device: torch.device) -> list[Row]:
    """A trace beside the plain fused forward, on one device."""
    model = gpt2size.ours(device)
    fused = gpt2size.plain("sdpa").to(device)
    rows = []
    with torch.inference_mode():
        for n, rounds in ROUNDS.items():
            text, ids = gpt2size.text_of(n), gpt2size.ids_of(n, model).to(device)

            def trace(text: str = text) -> None:
                model.trace(text)
                synchronize(device)

            def plain(ids: torch.Tensor = ids) -> None:
                fused(input_ids=ids, use_cache=False)
                synchronize(device)

            spent = in_turns({"trace": trace, "plain": plain}, rounds)
            note = f"of the plain fused forward; ours {1e3 * median(it.wall for it in spent['trace']):.1f} ms"
            wall = median_ratio(spent["trace"], spent["plain"]).wall
            rows.append(Row(f"trace, GPT-2 size, {n} tokens", wall, capture.TRACE_TARGET, "x", note))
    return rows


def synchronize(device: torch.device) -> None:
    """Wait until the device has done what it was asked."""
    torch.cuda.synchronize() if device.type == "cuda" else torch.mps.synchronize()


if __name__ == "__main__":
    sys.exit(main())
