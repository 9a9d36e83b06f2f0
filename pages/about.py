"""About: models and licences, versions, the limits in force, and what attention does not prove."""

from attnviz_app import about, state

say = state.say()
about.words(say)
about.limits(say)
about.versions(say)
about.models(say)
