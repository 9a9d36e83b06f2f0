"""The bytes a view receives: 4-byte header length | JSON header | arrays, each starting on a multiple of 8.

`views/kit/unpack.js` is the other end. Nothing here knows what the arrays mean.
"""

import json
import struct
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import numpy as np
from numpy.typing import NDArray

VERSION = 1
Arrays = dict[str, NDArray[Any]]  # by the names that a header says
ALIGNMENT = 8  # the widest element a typed array in the browser may have
_NAMES = {"|u1": "uint8", "<u2": "uint16", "<u4": "uint32", "<f4": "float32"}


def pack(header: Mapping[str, object], arrays: Mapping[str, NDArray[Any]]) -> bytes:
    """Frame a header and its arrays.

    Args:
        header: anything JSON can hold, and dataclasses of it; `v` and `arrays` are written here.
        arrays: uint8, uint16, uint32 or float32, of any shape. Offsets count from the end of the padded header.
    Raises:
        TypeError: an array of another dtype.
    """
    table: dict[str, dict[str, Any]] = {}
    body = bytearray()
    for name, array in arrays.items():
        little = np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("<"))
        dtype = _NAMES.get(little.dtype.str)
        if dtype is None:
            expected = ", ".join(_NAMES.values())
            raise TypeError(f"array {name!r} is {array.dtype}; expected one of {expected}. Convert it first.")
        table[name] = {"dtype": dtype, "shape": list(array.shape), "offset": len(body)}
        body += little.tobytes()
        body += bytes(-len(body) % ALIGNMENT)
    entries = {"v": VERSION, **header, "arrays": table}
    text = json.dumps(entries, ensure_ascii=False, separators=(",", ":"), default=asdict).encode()
    text += b" " * (-(4 + len(text)) % ALIGNMENT)
    return struct.pack("<I", len(text)) + text + bytes(body)


def amended(payload: bytes, **entries: Any) -> bytes:
    """The same frame with more in its header, where a host adds what changes more often than the picture does."""
    (length,) = struct.unpack_from("<I", payload)
    text = json.dumps(entries, separators=(",", ":")).encode()[:-1] + b"," + payload[5 : 4 + length].rstrip(b" ")
    text += b" " * (-(4 + len(text)) % ALIGNMENT)
    return struct.pack("<I", len(text)) + text + payload[4 + length :]


def unpack(payload: bytes) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """Read a frame back, for tests, exports and measurements."""
    (length,) = struct.unpack_from("<I", payload)
    header: dict[str, Any] = json.loads(payload[4 : 4 + length])
    arrays: dict[str, NDArray[Any]] = {}
    for name, entry in header["arrays"].items():
        dtype = np.dtype(entry["dtype"]).newbyteorder("<")
        count = int(np.prod(entry["shape"], dtype=np.int64))
        flat = np.frombuffer(payload, dtype, count, 4 + length + entry["offset"])
        arrays[name] = flat.reshape(entry["shape"])
    return header, arrays
