"""The numbers of one tensor of a GGUF file, out of the blocks that it is kept in."""

import numpy as np
import torch
from torch import Tensor

from attnviz.pretrained.loading.gguf.header import Header, StoredTensor, refuse


def numbers_of(header: Header, name: str) -> Tensor:
    """A tensor's numbers: float32, or as the file has them where they are float16 or bfloat16."""
    tensor = header.tensors[name]
    with open(header.path, "rb", buffering=0) as file:
        file.seek(tensor.start)
        raw = bytearray(tensor.n_bytes)
        if file.readinto(raw) != tensor.n_bytes:
            refuse(header.path, f"it ends before {name!r} does")
    return dequantised(raw, tensor)


def dequantised(raw: bytearray, tensor: StoredTensor) -> Tensor:
    from gguf.constants import GGMLQuantizationType
    from gguf.quants import dequantize
    from transformers.integrations.gguf import dequant

    kind = GGMLQuantizationType(tensor.kind)
    plain = {"F32": torch.float32, "F16": torch.float16, "BF16": torch.bfloat16, "F64": torch.float64}
    if kind.name in plain:
        return torch.frombuffer(raw, dtype=plain[kind.name]).reshape(tensor.shape)
    if tensor.kind in dequant.GGML_BLOCK:  # twice as fast as the gguf package, and equal bit for bit
        return dequant.dequantize(torch.frombuffer(raw, dtype=torch.uint8), tensor.kind).reshape(tensor.shape)
    blocks = np.frombuffer(raw, dtype=np.uint8).reshape(*tensor.shape[:-1], -1)
    return torch.from_numpy(dequantize(blocks, kind)).reshape(tensor.shape)
