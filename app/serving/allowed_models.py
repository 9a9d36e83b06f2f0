"""Which models may be asked for here: those the operator names, and those trained on this server and still kept."""

from attnviz_app.jobs.trainings import trainings
from attnviz_app.serving import long_texts
from attnviz_app.settings import settings


class AllowedModels:
    """What a link may name: `name in allowed_models()`."""

    def __contains__(self, model: object) -> bool:
        return model in self.names or (isinstance(model, str) and trainings().store.has(model))

    @property
    def names(self) -> tuple[str, ...]:
        """The operator's, in the operator's order, and those for texts beyond what these read."""
        return (*settings().models, *long_texts.MODELS)


def allowed_models() -> AllowedModels:
    return AllowedModels()
