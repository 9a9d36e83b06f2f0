"""A model is opened from the menu of a page, on a person's own computer alone, and stays there."""

import pytest
from attnviz_app.open_model import panel
from attnviz_app.open_model.state import OTHER
from attnviz_app.serving.opened_models import OpenedModels, opened_models
from attnviz_app.serving.openings import openings
from attnviz_app.serving.runs import runs
from attnviz_app.settings import settings

from attnviz.catalog import LocalModel
from attnviz.core.errors import UnsupportedModel
from attnviz.text import strings
from tests.job_fake import until
from tests.pages.conftest import link, menu, queue, shown, text_box
from tests.parity.tiny_models import eager_model
from tests.parity.tiny_models import saved as saved_at

SAY = strings("en")
HOSTILE = "lmstudio:a/<img src=x onerror=alert(1)>**[x](y)**"
HERE = (
    LocalModel("ollama:smollm2:135m", "Ollama", 98_000_000, "llama", 134_515_008, ("Q4_1",)),
    LocalModel(HOSTILE, "LM Studio", 10, "llama", 10),
    LocalModel("me/large", "Hugging Face", 5_000_000_000, "llama", 8_000_000_000),
    LocalModel("ollama:eyes:latest", "Ollama", 10, "clip", problem=UnsupportedModel(
        id="ollama-adapter", name="ollama:eyes:latest"
    )),
)  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return saved_at(eager_model("gpt2"), tmp_path_factory.mktemp("mine") / "tiny-gpt2")


@pytest.fixture(autouse=True)
def computer(operator, tmp_path):
    """Models of other programs, and a list of opened ones that begins empty."""
    operator.setattr("attnviz_app.open_model.state.local_models", lambda: HERE)
    mine = OpenedModels(tmp_path / "opened.json")
    operator.setattr(runs(), "opened", mine)
    for place in ("open_model.state", "open_model.panel", "serving.model_menu"):
        operator.setattr(f"attnviz_app.{place}.opened_models", lambda: mine)
    return mine


def dialog(opened, page="heads", box="model-box", **query):
    app = opened(page, **query)
    menu(app, box).set_value(OTHER).run()
    return app


def name_and_open(app, name):
    """Type a name, press Open, and wait until that ended; then the page is drawn as its timer draws it."""
    field = next(box for box in app.text_input if box.key.startswith(panel.FIELD))
    field.set_value(name)
    app.button(key="open-model-open").click().run()
    until(lambda: not (openings().of(name) and openings().of(name).is_active), 60)
    return app.run()


@pytest.mark.parametrize(("page", "box", "named"), [
    ("heads", "model-box", "model"), ("step", "step-model", "model"), ("compare", "compare-a", "model"),
    ("compare", "compare-b", "model2"),
])  # fmt: skip
def test_a_folder_is_opened_from_every_menu_and_is_then_asked_for(opened, folder, computer, page, box, named):
    app = dialog(opened, page, box)
    assert "On this computer" in shown(app)
    name_and_open(app, folder)
    assert menu(app, box).value == folder and "On this computer" not in shown(app)
    assert computer.names == (folder,)
    if page != "compare":
        assert link(app)[named] == folder
    again = opened("heads", model=folder, text="Read this")  # as after a restart: a link to it opens it
    assert link(again)["model"] == folder and link(again)["text"] == "Read this"


def test_a_path_that_was_copied_with_its_quotes_is_that_path(opened, folder, computer):
    app = dialog(opened)
    field = next(box for box in app.text_input if box.key.startswith(panel.FIELD))
    field.set_value(f' "{folder}" ')
    app.button(key="open-model-open").click().run()
    until(lambda: openings().of(folder) is not None and not openings().of(folder).is_active, 60)
    assert computer.names == (folder,)


def test_what_fails_is_said_in_the_dialog_and_the_page_stays_as_it_was(opened, tmp_path, computer):
    app = dialog(opened, text="The cat sat.")
    name_and_open(app, str(tmp_path / "nothing"))
    assert "There is no file or folder" in shown(app) and "On this computer" in shown(app)
    assert menu(app).value == "minilm-l6" and text_box(app).value == "The cat sat." and computer.names == ()


def test_what_is_on_the_computer_is_listed_with_its_size_and_what_cannot_be_opened_with_the_reason(opened):
    app = dialog(opened)
    said = shown(app)
    assert "Ollama · llama · Q4_1 · 135M parameters</span><span>98 MB on disk, 538 MB in memory" in said
    assert "ATTNVIZ_MODEL_CACHE" in said and "is an adapter over another model" in said
    assert [button.key for button in app.button if button.key.startswith("local-")] == ["local-0", "local-1"]
    assert app.button(key="local-1").label == r"lmstudio\:a/\<img src=x onerror=alert\(1\)\>\*\*\[x\]\(y\)\*\*"


def test_a_model_of_the_list_is_opened_by_its_name_and_one_that_is_gone_says_so(opened, operator, tmp_path):
    operator.setenv("OLLAMA_MODELS", str(tmp_path))
    app = dialog(opened)
    app.button(key="local-0").click().run()
    until(lambda: openings().of("ollama:smollm2:135m").state == "failed")
    assert "Ollama has no model smollm2:135m" in shown(app.run())


def test_a_model_is_taken_out_of_the_menu_again(opened, folder, computer):
    computer.add(folder)
    app = opened("heads", model=folder, text="Read this")
    menu(app).set_value(OTHER).run()
    app.button(key="opened-model-0").click().run()
    assert computer.names == () and folder not in menu(app.run()).options
    assert link(app)["model"] == "minilm-l6"


@pytest.mark.parametrize("name", ["/etc", "ollama:another:1b", "someone/else", "~/secret.gguf", "\\\\evil\\share"])
@pytest.mark.parametrize(("page", "named"), [("heads", "model"), ("step", "model"), ("compare", "model2")])
def test_a_link_opens_nothing_that_is_not_in_the_menu_and_offers_it(opened, operator, page, named, name):
    operator.setattr("attnviz_app.serving.runs.Runs.open", lambda self, model: pytest.fail(f"{model} was opened")
                     if model == name else self.models.get(model, lambda: self._loaded(model)))  # fmt: skip
    app = opened(page, **{named: name})
    assert "This server has no model named" in shown(app)
    (button,) = [button for button in app.button if button.key and "-offer-" in button.key]
    button.click().run()
    field = next(box for box in app.text_input if box.key.startswith(panel.FIELD))
    assert field.value == name and openings().of(name) is None  # the person has to press Open


def test_a_hosted_server_opens_nothing(opened, operator, folder, computer):
    operator.setenv("ATTNVIZ_MODE", "hosted")
    settings.cache_clear()
    app = opened("heads", model=folder)
    assert SAY("open-model") not in menu(app).options and not [b for b in app.button if "-offer-" in (b.key or "")]
    queue(app, panel.state.ask, "model-box", folder)
    queue(app, panel.state.open, folder)
    assert "On this computer" not in shown(app) and openings().of(folder) is None


def test_the_list_of_a_hosted_server_is_empty_whatever_the_file_says(operator, tmp_path):
    operator.undo()
    operator.setenv("ATTNVIZ_MODE", "hosted")
    settings.cache_clear()
    operator.setenv("XDG_CONFIG_HOME", str(tmp_path))
    OpenedModels(tmp_path / "attnviz" / "opened-models.json").add("/etc")
    assert opened_models().names == ()


def test_menus_tell_two_models_of_one_name_apart(opened, folder, computer, tmp_path):
    computer.add("/elsewhere/tiny-gpt2")
    computer.add(folder)
    options = menu(opened("heads")).options
    assert len(options) == len(set(options)) and "tiny-gpt2 (/elsewhere/tiny-gpt2)" in options
