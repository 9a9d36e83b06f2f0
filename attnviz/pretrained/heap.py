"""What the process keeps of memory that was let go: the next trace writes there, and no page has to be handed out anew.

A trace is many values of some megabytes each. Left to itself, glibc learns from what is freed: it either gives each
value back to the system, and the next one is handed out anew, 4 KB at a time, a tenth of a run; or keeps large values
too, and fills its heap with holes. Three numbers settle it for the whole process: the third gives threads one heap
together, for each of their own would keep as much. Where another C library is at work, nothing is set.
"""

import ctypes
import os
from functools import cache

SYSTEM_BYTES = 16 << 20  # values from here on come from the system, and go back to it at once
KEPT_BYTES = 256 << 20  # the most that is kept free at the heap's end

M_MMAP_THRESHOLD, M_TRIM_THRESHOLD, M_ARENA_MAX = -3, -1, -8  # glibc's malloc.h
SAID_BY_OPERATOR = (
    "MALLOC_MMAP_THRESHOLD_", "MALLOC_TRIM_THRESHOLD_", "MALLOC_TOP_PAD_", "MALLOC_ARENA_MAX", "GLIBC_TUNABLES",
)  # fmt: skip


@cache
def keep_freed() -> bool:
    """Settle it, once a process; whether it was. What the environment says about glibc's heap is left as it is."""
    if not is_glibc() or any(name in os.environ for name in SAID_BY_OPERATOR):
        return False
    mallopt = ctypes.CDLL(None).mallopt
    settled = ((M_MMAP_THRESHOLD, SYSTEM_BYTES), (M_TRIM_THRESHOLD, KEPT_BYTES), (M_ARENA_MAX, 1))
    return all(mallopt(name, value) for name, value in settled)


def is_glibc() -> bool:
    """Whether this process gets its memory from glibc; one put before it, such as jemalloc, has no such numbers."""
    if "LD_PRELOAD" in os.environ:
        return False
    try:
        return (os.confstr("CS_GNU_LIBC_VERSION") or "").startswith("glibc")
    except (AttributeError, ValueError, OSError):  # Windows; macOS and musl
        return False
