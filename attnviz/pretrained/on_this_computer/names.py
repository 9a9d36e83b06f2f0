"""Names of models that another program keeps: which they are, and the file of each."""

from pathlib import Path

from attnviz.pretrained.on_this_computer import lm_studio, ollama

LONGEST = 1024  # characters


def is_kept_name(name: str) -> bool:
    """Whether a name says which program keeps the model. A folder that is called so is written ./ollama:x."""
    return len(name) <= LONGEST and name.startswith((ollama.PREFIX, lm_studio.PREFIX))


def file_of(name: str) -> Path:
    """The GGUF file of such a name; see `file_of` of each program for the errors."""
    return ollama.file_of(name) if name.startswith(ollama.PREFIX) else lm_studio.file_of(name)
