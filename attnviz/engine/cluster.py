"""Several processes by Ray: a trace service of replicas, and an atlas measured side by side.

A replica is a `Service` over models that share a byte budget; Ray starts more of them when questions queue up, and
sends a question first to one that holds its model. No web process imports this.
"""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import Any

import torch
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from attnviz.analysis.heads.atlas import Plan, part_path, write_part
from attnviz.bounded_cache import BoundedCache
from attnviz.catalog import SHELF_BYTES, load
from attnviz.core.errors import InputError
from attnviz.engine.service import QUEUE, Load, Service, respond
from attnviz.scratch.variants import is_variant, of_variant, variant
from attnviz.trace.model_protocol import Model, model_bytes

SHARING = 16  # questions that one replica may hold, so that they can share a batch
QUEUED = 4  # of them are enough to start another replica


@dataclass(frozen=True)
class Place:
    """Where the models of a service run."""

    models: tuple[str, ...]  # that may be asked for
    device: str | None = None
    dtype: str | None = None
    n_bytes: int = SHELF_BYTES  # of weights that one replica keeps
    threads: int = 1  # of one forward pass

    def service(self) -> Service:
        torch.set_num_threads(self.threads)
        return Service(self.loader(), self.models)

    def loader(self) -> Load:
        """Models and their variants, loaded once and kept within the bytes."""
        kept: BoundedCache[Model] = BoundedCache(self.n_bytes, model_bytes)

        def made(name: str) -> Model:
            if is_variant(name):
                return variant(name, kept_or_made(of_variant(name)))
            return load(name, device=self.device, dtype=self.dtype)

        def kept_or_made(name: str) -> Model:
            return kept.get(name, lambda: made(name))

        return kept_or_made


def on_gpu(device: str | None) -> bool:
    """Whether Ray must give a process a GPU; without being told it hides them."""
    return device not in (None, "cpu", "mps") and torch.cuda.is_available()


def start(n_cpus: int) -> Any:
    """Ray in processes of this machine, or of the cluster that RAY_ADDRESS names; InputError where there is none."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # it would report to its makers
    try:
        ray: Any = import_module("ray")
    except ImportError:
        raise InputError(id="no-ray") from None
    if not ray.is_initialized():
        here = {"env_vars": {"PYTHONPATH": str(Path(__file__).parents[2])}}  # workers find an editable install so
        size = {} if "RAY_ADDRESS" in os.environ else {"num_cpus": n_cpus, "include_dashboard": False}
        with explained():
            ray.init(runtime_env=here, log_to_driver=False, configure_logging=False, **size)
    return ray


@contextmanager
def explained() -> Iterator[None]:
    """Whatever Ray raises while it starts, of many classes, as one sentence."""
    try:
        yield
    except Exception as error:
        why = str(error).strip().partition("\n")[0].partition(". ")[0].rstrip(".")
        raise InputError(id="ray-away", why=why) from None


def serve_replicas(place: Place, *, least: int, most: int, host: str = "127.0.0.1", port: int = 8600) -> None:
    """Serve models from `least` to `most` replicas until this process ends; returns once they answer."""
    start(most * place.threads + 1)
    serve: Any = import_module("ray.serve")

    class Replica:
        def __init__(self) -> None:
            self.service = place.service()

        @serve.multiplexed(max_num_models_per_replica=64)  # weights leave by bytes; this tells Ray who has met a model
        async def met(self, model: str) -> str:
            return model

        async def __call__(self, request: Request) -> Response:
            if request.url.path == "/healthz":
                return JSONResponse({"alive": True})
            await self.met(serve.get_multiplexed_model_id() or "-")
            return await respond(self.service, request)

    deployment = serve.deployment(
        Replica, name="attnviz", max_ongoing_requests=SHARING, max_queued_requests=QUEUE,
        autoscaling_config={
            "min_replicas": least, "max_replicas": most, "target_ongoing_requests": QUEUED, "upscale_delay_s": 3,
            "downscale_delay_s": 120,
        },
        ray_actor_options={"num_cpus": place.threads, "num_gpus": 1 if on_gpu(place.device) else 0},
        health_check_period_s=2, health_check_timeout_s=30,
    )  # fmt: skip
    with explained():
        serve.start(http_options={"host": host, "port": port, "request_timeout_s": 3600}, proxy_location="HeadOnly")
        serve.run(deployment.bind(), name="attnviz", route_prefix="/")


def measure_spread(plan: Plan, folder: Path, workers: int, device: str | None, dtype: str | None) -> int:
    """Measure the shards of an atlas that are not there yet, streamed by Ray Data. The number of shards."""
    n = sum(1 for _ in plan.shards())
    missing = [{"shard": number} for number in range(n) if not part_path(folder, number).exists()]
    ray = start(workers + 1)
    if missing:
        shards = ray.data.from_items(missing, override_num_blocks=len(missing))
        measured = shards.map_batches(
            ShardWorker, fn_constructor_args=(plan, str(folder.resolve()), device, dtype), batch_size=1,
            compute=ray.data.ActorPoolStrategy(size=workers), num_cpus=1, num_gpus=1 / workers if on_gpu(device) else 0,
        )  # fmt: skip
        for _ in measured.iter_rows():
            pass
    return n


class ShardWorker:
    """Measures shards with a model of its own; it reads the corpus on from the shard before."""

    def __init__(self, plan: Plan, folder: str, device: str | None, dtype: str | None) -> None:
        torch.set_num_threads(1)
        self.plan, self.folder = plan, Path(folder)
        self.model = load(plan.model, device=device, dtype=dtype)
        self.shards, self.next = plan.shards(), 0

    def __call__(self, batch: dict[str, Sequence[int]]) -> dict[str, Sequence[int]]:
        for number in map(int, batch["shard"]):
            if number < self.next:
                self.shards, self.next = self.plan.shards(), 0
            texts = next(islice(self.shards, number - self.next, None))
            self.next = number + 1
            write_part(self.model, self.plan, self.folder, number, texts)
        return batch
