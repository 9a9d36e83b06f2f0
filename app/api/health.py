"""Whether the server is alive and ready, for whoever starts and watches it, and the numbers that Prometheus reads."""

import threading

from attnviz_app import metrics
from attnviz_app.jobs.trainings import trainings
from attnviz_app.serving import measured_heads, rooms
from attnviz_app.serving.malloc_settings import heap_bytes
from attnviz_app.serving.runs import runs
from attnviz_app.serving.similarity import similarities
from attnviz_app.serving.surveys import surveys
from attnviz_app.serving.trace_files import trace_files
from attnviz_app.settings import Settings, not_served, say_once
from attnviz_app.train import head_formation
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route


async def _alive(_: Request) -> Response:
    return PlainTextResponse("ok")


async def _ready(_: Request) -> Response:
    try:
        kept = runs()
    except Exception as error:  # settings that cannot be served, most likely
        say_once(str(error))
        return PlainTextResponse(str(not_served()), 503)
    is_ready = kept.has_model(kept.offered[0])
    return PlainTextResponse("ready") if is_ready else PlainTextResponse("The model is not loaded yet.", 503)


ROUTES = (Route("/healthz", _alive), Route("/readyz", _ready))


def start(limits: Settings) -> None:
    """Begin what a server with many visitors does beside answering them: load its first model, count for Prometheus."""
    if limits.is_hosted:
        threading.Thread(target=_load_first, name="attnviz-first-model", daemon=True).start()
    if limits.metrics_port is not None:
        _register()
        metrics.serve(limits.metrics_port, limits.address)


def _load_first() -> None:
    runs().model(runs().offered[0])


def _register() -> None:
    kept = runs()
    gate, training, survey = kept.gate, trainings().queue, surveys().queue
    metrics.gauge("forward_waiting", "Visitors that wait for a forward pass.", lambda: gate.waiting)
    metrics.gauge("forward_total", "Forward passes, and visitors told to come back.", lambda: gate.counts)
    metrics.gauge("forward_seconds_total", "Time spent in forward passes and waiting for them.", lambda: gate.seconds)
    metrics.gauge(
        "jobs", "Trainings and surveys that run or wait.",
        lambda: {"training": training.n_active, "survey": survey.n_active},
    )  # fmt: skip
    metrics.gauge("rooms", "Classes that are open.", lambda: len(rooms.ALL.rooms))
    metrics.gauge(
        "memory_bytes", "What holds this process's memory; weights and traces lie in the heap.",
        lambda: {
            "weights": kept.models.nbytes, "traces": kept.traces.nbytes, "payloads": kept.payloads.nbytes,
            "trace_files": trace_files().nbytes, "trainings": head_formation.kept.nbytes,
            "tables": measured_heads.kept.nbytes + surveys().nbytes + similarities().nbytes, **heap_bytes(),
        },
        label="part",
    )  # fmt: skip
