"""About: models, licences, versions, limits in force, and what attention does not prove."""

from attnviz_app.shell import about, visitor

say = visitor.say()
about.words(say)
about.limits(say)
about.versions(say)
about.models(say)
