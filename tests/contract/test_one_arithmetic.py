"""Attention is computed by core/attend.py and the files under it, and recorded by core/capture.py, in all the library.

The files are read, not run.
"""

import ast
from collections.abc import Iterator

from tests.contract.message_use import ROOT, sources

ARITHMETIC = {"core/attend.py", "core/kernels.py", "core/ops.py"}
# A softmax of other numbers than scores of keys: of a vocabulary's or of classes' logits.
OF_LOGITS = {
    "trace/sampling.py", "trace/traced_run.py", "models/decoding.py", "pretrained/task_head.py",
    "explanation/model_steps/vocabulary.py", "trace/generation.py", "trace/trace.py",
    "analysis/circuits/missing_word.py", "views/heads/written_tokens.py",
}  # fmt: skip
MADE_WRONG = {"checking/find/mistaken_attention.py"}  # mistakes that people make, around `attend`


def library() -> Iterator[tuple[str, ast.AST]]:
    for path in sources(".py", folders=("attnviz",)):
        yield path.relative_to(ROOT / "attnviz").as_posix(), ast.parse(path.read_text())


def calls(tree: ast.AST) -> set[str]:
    """The last names of what a file calls: "softmax" of torch.softmax(x)."""
    called = (ast.unparse(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call))
    return {name.rpartition(".")[2] for name in called}


def test_attention_is_computed_in_one_place():
    softmaxes, kernels = set(), set()
    for name, tree in library():
        made = calls(tree)
        if made & {"softmax", "log_softmax"}:
            softmaxes.add(name)
        is_ours = name.startswith("models/") or name in ARITHMETIC  # `attend` under the paper's name
        if made & {"flex_attention", "sdpa_attention_forward", "eager_attention_forward", "repeat_kv"}:
            kernels.add(name)
        if "scaled_dot_product_attention" in made and not is_ours:
            kernels.add(name)
    assert kernels == set()
    assert softmaxes == {"core/ops.py"} | OF_LOGITS | MADE_WRONG


def test_grouped_heads_are_repeated_in_one_place():
    assert {name for name, tree in library() if "repeat_interleave" in calls(tree)} <= {"core/ops.py"} | {
        "checking/probe/masks.py", "checking/find/mistaken_attention.py",  # a person's layout, and their mistake
        "explanation/attention_steps.py",  # the frequencies of a rotation
    }  # fmt: skip


def test_values_are_recorded_in_one_place():
    """Only core/capture.py hands values to a recording; a recording may say what it keeps of them."""
    kept, recorders = set(), set()
    for name, tree in library():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and ast.unparse(node.func).endswith((".recording.keep", ".recording.begin")):
                kept.add(name)
            if isinstance(node, ast.Call) and ast.unparse(node.func).endswith(("recorder.begin", "recorder.receive")):
                recorders.add(name)
    assert kept == {"core/capture.py"} and recorders == {"core/capture.py"}
