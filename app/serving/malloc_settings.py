"""Tells glibc, once per process, to keep up to 256 MB of freed memory for the next trace.

Without it, freed tensors go back to the system and each new one costs page faults, a tenth of a run; or large ones stay
and fill the heap with holes. More may stay where something small lies above it, until it is given back. An operator's
own MALLOC_* or GLIBC_TUNABLES setting is left alone.
"""

import ctypes
import os
from functools import cache

SYSTEM_BYTES = 16 << 20  # values of this size and more come from the system and go back to it at once
KEPT_BYTES = 256 << 20  # the most that stays free at the heap's end

M_MMAP_THRESHOLD, M_TRIM_THRESHOLD, M_ARENA_MAX = -3, -1, -8  # glibc's malloc.h
MALLINFO2 = (
    "arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks", "uordblks", "fordblks", "keepcost",
)  # fmt: skip
OPERATOR_SETTINGS = (
    "MALLOC_MMAP_THRESHOLD_", "MALLOC_TRIM_THRESHOLD_", "MALLOC_TOP_PAD_", "MALLOC_ARENA_MAX", "GLIBC_TUNABLES",
    "LD_PRELOAD",  # another allocator, such as jemalloc, has no such settings
)  # fmt: skip


@cache
def keep_freed_memory() -> bool:
    """Set it; returns whether it was set. One heap for all threads, since each of their own would keep as much."""
    if not is_glibc() or any(name in os.environ for name in OPERATOR_SETTINGS):
        return False
    mallopt = ctypes.CDLL(None).mallopt
    settings = ((M_MMAP_THRESHOLD, SYSTEM_BYTES), (M_TRIM_THRESHOLD, KEPT_BYTES), (M_ARENA_MAX, 1))
    return all(mallopt(name, value) for name, value in settings)


def give_back_freed_memory() -> None:
    """Return to the system what is free, also between what is not."""
    if is_glibc():
        ctypes.CDLL(None).malloc_trim(0)


class _Mallinfo2(ctypes.Structure):
    _fields_ = tuple((name, ctypes.c_size_t) for name in MALLINFO2)


def heap_bytes() -> dict[str, float]:
    """What malloc handed out and what it holds free; empty where the C library cannot say."""
    if not is_glibc() or not hasattr(ctypes.CDLL(None), "mallinfo2"):
        return {}
    mallinfo2 = ctypes.CDLL(None).mallinfo2
    mallinfo2.restype = _Mallinfo2
    said = mallinfo2()
    return {"heap_used": said.uordblks + said.hblkhd, "heap_free": said.fordblks}


def is_glibc() -> bool:
    """Whether this process gets its memory from glibc."""
    try:
        return (os.confstr("CS_GNU_LIBC_VERSION") or "").startswith("glibc")
    except (AttributeError, ValueError, OSError):  # Windows; macOS and musl
        return False
