"""A model of a hub in the dashboard, against a stand-in on this machine: fetched with progress, or refused."""

from attnviz_app.shell import panels

from attnviz.pretrained.loading import hub
from attnviz.text import strings
from tests.pages.conftest import link, shown
from tests.unit.pretrained.loading.test_hub import REPO, saved, stand_in

__all__ = ["saved", "stand_in"]  # fixtures


def test_a_model_of_a_hub_is_fetched_with_progress_and_shown(opened, operator, stand_in, monkeypatch):
    lines: list[str] = []  # every line that stood over the hatched field
    escape = panels.escape
    monkeypatch.setattr(panels, "escape", lambda text, *rest: lines.append(text) or escape(text, *rest))
    operator.setenv("ATTNVIZ_MODELS", f"minilm-l6,{REPO}")
    page = opened("heads", model=REPO, text="Read this")

    assert link(page)["model"] == REPO and "av-card" not in shown(page)
    called = REPO.rpartition("/")[2]  # as in the menu
    fetching = [line for line in lines if line.startswith(f"Fetching {called}: ")]
    assert len(fetching) > 3 and fetching[-1].split(": ")[1].split(" of ")[0] in fetching[-1].split(" of ")[1]
    assert f"{stand_in.url}/{REPO}" in shown(page)  # where its numbers come from


def test_a_hub_that_cannot_be_reached_is_said_and_the_picture_stays(opened, operator, stand_in):
    operator.setenv("ATTNVIZ_MODELS", "minilm-l6,someone/else")
    page = opened("heads", model="someone/else", text="Read this")

    said = strings("en")("error-not-on-hub", model="someone/else", endpoint=hub.endpoint())
    assert said in shown(page) and "av-foot" in shown(page)


def test_strangers_read_no_path_and_no_setting_when_a_model_does_not_come(opened, operator, stand_in, caplog):
    operator.setenv("ATTNVIZ_MODE", "hosted")
    operator.setenv("ATTNVIZ_MODELS", "minilm-l6,someone/else")
    page = opened("heads", model="someone/else", text="Read this")

    assert strings("en")("error-model-not-served", name="someone/else") in shown(page)
    assert hub.endpoint() not in shown(page) and hub.endpoint() in caplog.text
