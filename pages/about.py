"""About: what attention does not prove, the models and what was measured of each, limits in force, versions."""

from attnviz_app.host import visitor
from attnviz_app.shell import about

say = visitor.say()
about.words(say)
about.models(say)
about.figures(say)
