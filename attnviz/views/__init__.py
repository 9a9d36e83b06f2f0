"""Pictures of a Trace that work in the dashboard, in a notebook and in a file of their own. They draw; Python packs.

>>> import attnviz as av
>>> view = av.views.heads(av.load("induction").trace("a b c a b"), av.views.Pick(layer=1, head=0))
>>> view.selection["layer"], view.selection["head"]  # view.show() opens it, view.to_html(path) writes it to a file
(1, 0)
"""

from attnviz.views.byhand import by_hand
from attnviz.views.compare import Pair, compare, exact_pair
from attnviz.views.compare import rest as compare_rest
from attnviz.views.heads import exact, heads, kinds, kinds_waiting, look, neurons, window
from attnviz.views.heads import rest as heads_rest
from attnviz.views.heads.exciting_sentences import excited
from attnviz.views.heads.first_pick import Pick
from attnviz.views.home import WAYS, home, standout
from attnviz.views.home import formation as home_formation
from attnviz.views.home import pair as home_pair
from attnviz.views.home import steps_of as home_steps
from attnviz.views.home import window_of as home_window
from attnviz.views.home.story import story as home_story
from attnviz.views.panel import panel
from attnviz.views.stepper import At, stepper
from attnviz.views.training import Moment, training
from attnviz.views.view import View

__all__ = [
    "WAYS",
    "At",
    "Moment",
    "Pair",
    "Pick",
    "View",
    "by_hand",
    "compare",
    "compare_rest",
    "exact",
    "exact_pair",
    "excited",
    "heads",
    "heads_rest",
    "home",
    "home_formation",
    "home_pair",
    "home_steps",
    "home_story",
    "home_window",
    "kinds",
    "kinds_waiting",
    "look",
    "neurons",
    "panel",
    "standout",
    "stepper",
    "training",
    "window",
]
