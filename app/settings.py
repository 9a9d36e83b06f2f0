"""What an operator may set, read from ATTNVIZ_* variables. It sets limits; it does not apply them."""

import atexit
import logging
import os
import re
import threading
from collections.abc import Callable
from difflib import get_close_matches
from functools import cache, wraps
from importlib.util import find_spec
from pathlib import Path
from typing import IO, Annotated, Any, Literal, TypeVar, get_args, get_origin

from pydantic import ByteSize, Field, ValidationError, field_validator, model_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from attnviz.core.errors import AttnvizError

PREFIX = "ATTNVIZ_"
log = logging.getLogger(__name__)
LOOPBACK = ("127.0.0.1", "localhost", "::1")
LOCAL_PATH = re.compile(r"^([/~.\\]|[A-Za-z]:[\\/])")

SHIPPED = (
    "smollm2-135m", "minilm-l6", "translate-en-zh", "translate-en-zh-tw", "translate-zh-en", "reverse", "induction",
    "poems-zh", "poems-zh-tw",
)  # fmt: skip
LEAST_STORE = 96 * 1024**2  # bytes: room for two trainings
CHARACTERS_A_TOKEN = 10  # of a text for a model without training, whose tokens are words
SERVED_WORKERS = 16  # questions at a time to a trace service, which has a queue of its own
HOSTED = {
    "max_characters": 2000,
    "max_tokens": 256,
    "trace_cache": 64 * 1024**2,
    "untrained_tokens": 127,
    "long_tokens": 1024,
    "training_steps": 3000,
    "training_seconds": 300.0,
    "training_store": 256 * 1024**2,
}

Bytes = Annotated[ByteSize, Field(examples=["512MB", "2GiB"])]
Engine = Annotated[str, Field(pattern=r"^(https?://[A-Za-z0-9.\-\[\]:]+)?/?$", examples=["http://127.0.0.1:8600"])]
Origin = Annotated[str, Field(pattern=r"^https?://(\*\.)?[A-Za-z0-9.-]+(:\d{1,5})?$")]


class SettingsError(AttnvizError):
    """The operator's settings cannot be served; the sentence says which one and what it may be."""


@cache
def memory_for_traces() -> ByteSize:
    """A sixteenth of the memory that is free as the process starts, between 64 MiB and 1 GiB."""
    try:
        said = dict(line.split(":", 1) for line in Path("/proc/meminfo").read_text().splitlines())
        free = int(said["MemAvailable"].split()[0]) * 1024
    except (OSError, KeyError, ValueError):  # not on macOS and Windows
        is_known = hasattr(os, "sysconf")
        free = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2 if is_known else 4 * 1024**3
    return ByteSize(max(64 * 1024**2, min(1024**3, free // 16)))


class Settings(BaseSettings):
    """The operator's settings; every field is the variable ATTNVIZ_<FIELD>."""

    model_config = SettingsConfigDict(env_prefix=PREFIX, frozen=True, extra="ignore", env_ignore_empty=True)

    mode: Literal["local", "hosted"] = "local"  # hosted: many people, every address; local: this machine alone
    # Those that may be asked for; the first is shown first.
    models: Annotated[tuple[str, ...], NoDecode] = Field(default=SHIPPED, min_length=1, examples=["minilm-l6, gpt2"])
    max_characters: int = Field(default=20_000, ge=20, le=100_000)  # of one text
    # Of one text, special tokens included; as many as the memory holds if not given, see serving/text_limits.py.
    max_tokens: int | None = Field(default=None, ge=4, le=16_384)
    untrained_tokens: int = Field(default=1024, ge=4, le=1024)  # of one text, for a model without training
    long_tokens: int = Field(default=4096, ge=4, le=4096)  # of one text on Heads, for a model without training
    model_cache: Bytes = ByteSize(2 * 1024**3)  # weights kept in memory, for instance "2GiB"
    trace_cache: Bytes = Field(default_factory=memory_for_traces)  # traces kept in memory, of all visitors
    payload_cache: Bytes = ByteSize(32 * 1024**2)  # pictures as they are sent, of all visitors together
    engine: Engine = ""  # the address of a trace service that runs pretrained models; "" = they run in this process
    workers: int = Field(default=1, ge=1, le=64)  # forward passes at a time
    threads: int = Field(default=1, ge=1, le=256)  # of one forward pass; more help long texts alone on idle cores
    device: Literal["auto", "cpu", "cuda", "mps"] = "cpu"  # where pretrained models run; auto: the fastest there is
    dtype: Literal["float32", "bfloat16", "float16"] = "float32"  # of pretrained models; others differ in their digits
    queue_length: int = Field(default=32, ge=0, le=10_000)  # visitors that may wait for a forward pass
    queue_seconds: float = Field(default=20.0, gt=0, le=600)  # how long one of them waits at most
    training: bool = Field(default=True, examples=["on", "off"])  # whether visitors may train models
    training_steps: int = Field(default=10_000, ge=50, le=100_000)  # of one training
    training_seconds: float = Field(default=10_800.0, ge=5, le=86_400)  # of one training, before it stops and keeps all
    training_queue: int = Field(default=16, ge=0, le=1000)  # trainings that may wait while one runs
    # Trained models kept on disk.
    training_store: ByteSize = Field(default=ByteSize(512 * 1024**2), ge=LEAST_STORE, examples=["≥ 96MiB", "2GiB"])
    data: Path | None = None  # where they are kept; a folder that goes with the server if not given
    # Other sites that may show its pages in a frame.
    framed_by: Annotated[tuple[Origin, ...], NoDecode] = Field(default=(), examples=["https://school.example"])
    metrics_port: int | None = Field(default=None, ge=1, le=65_535)  # where Prometheus asks; nowhere if not given

    @field_validator("models", "framed_by", mode="before")
    @classmethod
    def _split_names(cls, value: object) -> object:
        """Read "a, b" as two names."""
        return tuple(filter(None, (part.strip() for part in value.split(",")))) if isinstance(value, str) else value

    @model_validator(mode="before")
    @classmethod
    def _limit_strangers(cls, given: dict[str, Any]) -> dict[str, Any]:
        """In hosted mode, what an operator did not set is smaller than on one's own machine."""
        if given.get("engine"):
            given = {"workers": SERVED_WORKERS, **given}
        return {**HOSTED, **given} if given.get("mode") == "hosted" else given

    @property
    def is_hosted(self) -> bool:
        return self.mode == "hosted"

    @property
    def address(self) -> str:
        return "0.0.0.0" if self.is_hosted else "127.0.0.1"


def read_settings() -> Settings:
    """Read and check the operator's settings.

    Raises:
        SettingsError: a variable is unknown, its value cannot be read, or what it names is not there.
    """
    _check_names()
    try:
        settings = Settings()
    except ValidationError as error:
        raise _explained(error) from None
    _check_models(settings)
    _check_device(settings)
    _check_data(settings)
    _check_metrics(settings.metrics_port)
    return settings


def _check_names() -> None:
    """Refuse a variable ATTNVIZ_* that nothing reads: it would be set in vain."""
    known = [PREFIX + field.upper() for field in Settings.model_fields]
    for name in sorted(os.environ):
        if not name.upper().startswith(PREFIX) or name.upper() in known:
            continue
        nearest = get_close_matches(name.upper(), known, n=1, cutoff=0)[0]
        raise SettingsError(id="settings-unknown", name=name[:60], nearest=nearest)


def _check_models(settings: Settings) -> None:
    if settings.models == Settings.model_fields["models"].default:
        return
    from attnviz.catalog import (
        is_hub_name,
        is_kept_name,
        known_names,
    )  # loads torch: only where an operator names models

    known = known_names()
    for name in settings.models:
        if LOCAL_PATH.match(name) and settings.is_hosted:
            raise SettingsError(id="settings-paths", path=name)
        is_path = not settings.is_hosted and Path(name).expanduser().exists()
        if not (name in known or is_hub_name(name) or is_kept_name(name) or is_path):
            listed = ", ".join(known)
            raise SettingsError(id="settings-no-model", name=name[:60], known=listed)


def _check_device(settings: Settings) -> None:
    """Refuse a device that this machine does not have, before anyone waits for a model."""
    if settings.device in ("cpu", "auto"):
        return
    from attnviz.pretrained.loading.device import devices  # loads torch: only where an operator names a device

    if settings.device not in (present := devices()):
        known = ", ".join(present)
        raise SettingsError(id="settings-no-device", device=settings.device, known=known)


def _check_data(settings: Settings) -> None:
    """Refuse a folder that nothing can be written to, before anyone has trained for it."""
    if settings.data is None:
        return
    try:
        settings.data.mkdir(parents=True, exist_ok=True)
        _hold(settings.data)
    except OSError:
        path = str(settings.data)[:60]
        raise SettingsError(id="settings-data", path=path) from None


def _check_metrics(port: int | None) -> None:
    """Refuse a port that nothing could be read from."""
    if port is None:
        return
    if find_spec("prometheus_client") is None:
        raise SettingsError(id="settings-no-metrics")
    from attnviz.cli.network import is_taken  # loads all commands: only where an operator names a port

    if is_taken(port):
        raise SettingsError(id="settings-metrics-taken", port=str(port))


@cache
def _hold(folder: Path) -> IO[str]:
    """Keep other servers off the folder until this process ends, however it ends.

    Raises:
        SettingsError: another one has it: it would remove what this one trains.
    """
    held = (folder / ".server").open("w")
    try:
        import fcntl

        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except ImportError:
        pass  # Windows
    except BlockingIOError:
        path = str(folder)[:60]
        raise SettingsError(id="settings-data-used", path=path) from None
    return held


settings = cache(read_settings)
Made = TypeVar("Made")


def one_of_process(make: Callable[[Settings], Made]) -> Callable[[], Made]:
    """A function that gives one object per process, made from the settings by the first thread that asks.

    One that can be closed is, when the process ends.
    """
    making = threading.Lock()

    @cache
    def kept(limits: Settings) -> Made:
        made = make(limits)
        if close := getattr(made, "close", None):
            atexit.register(close)
        return made

    @wraps(make)
    def one() -> Made:
        with making:
            return kept(settings())

    return one


def is_shared() -> bool:
    """Whether strangers may read what this server shows; also where the mode itself cannot be read."""
    return os.environ.get(f"{PREFIX}MODE", "local").strip() != "local"


def not_served() -> SettingsError:
    """What strangers read instead of a refusal, which names variables and paths of the server."""
    return SettingsError(id="not-served")


@cache
def say_once(sentence: str) -> None:
    """Write an error for the operator into the log, once a process and not for every visitor."""
    log.error("%s", sentence)


def check_binding(settings: Settings, address: str | None) -> None:
    """Refuse to serve a local dashboard to a network.

    Args:
        address: what Streamlit listens on (`server.address`); None is every address.
    Raises:
        SettingsError: the mode is local and other machines could reach the server.
    """
    if settings.is_hosted or address in LOOPBACK:
        return
    raise SettingsError(id="settings-address", address=address or "0.0.0.0")


def _explained(error: ValidationError) -> SettingsError:
    """The first fault pydantic found, as one sentence that names the variable and what it takes."""
    fault = error.errors()[0]
    field = str(fault["loc"][0])
    name, value, takes = PREFIX + field.upper(), str(fault["input"])[:60], _taken(field)
    return SettingsError(id="settings-value", name=name, value=value, takes=takes)


def _taken(field: str) -> str:
    """What a field accepts, without words: examples, the values there are, or the least and the largest number."""
    info = Settings.model_fields[field]
    if info.examples:
        return ", ".join(info.examples)
    if get_origin(info.annotation) is Literal:
        return ", ".join(get_args(info.annotation))
    bounds = [getattr(rule, name) for name in ("gt", "ge", "le") for rule in info.metadata if hasattr(rule, name)]
    return f"{bounds[0]:g} – {bounds[1]:g}"
