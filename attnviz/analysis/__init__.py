"""Numbers from runs and traces: what heads do, and when they began to. Nothing here loads a model or draws."""
