"""What docs/hosting.md and the Dockerfile say about the settings is what the settings are."""

import re
import tomllib
from pathlib import Path

from attnviz_app.settings import HOSTED, PREFIX, Settings
from pydantic import ByteSize
from streamlit import config

from attnviz.cli.app import HOSTED_OPTIONS

ROOT = Path(__file__).resolve().parents[2]


def documented() -> dict[str, str]:
    """Each variable of the table, with its default as written there."""
    rows = re.findall(r"^\| `(ATTNVIZ_\w+)` \| `([^`]+)` \|", (ROOT / "docs" / "hosting.md").read_text(), re.M)
    return dict(rows)


def written(value: object) -> str:
    if value in (None, (), "") or isinstance(value, bool):
        return {True: "on", False: "off"}.get(value, "none")
    if isinstance(value, ByteSize):
        return value.human_readable(separator="").replace(".0", "")
    return ",".join(value) if isinstance(value, tuple) else str(value)


def test_the_table_lists_every_setting_with_its_default_and_sizes_as_they_are_read() -> None:
    fixed = {name: field for name, field in Settings.model_fields.items() if field.default_factory is None}
    assert documented() == {PREFIX + name.upper(): written(field.default) for name, field in fixed.items()}
    sizes = {name.removeprefix(PREFIX).lower(): text for name, text in documented().items() if text.endswith("iB")}
    assert Settings(**sizes) == Settings()  # type: ignore[arg-type]


def test_the_table_says_what_is_less_in_hosted_mode() -> None:
    text = (ROOT / "docs" / "hosting.md").read_text()
    said = dict(re.findall(r"^\| `ATTNVIZ_(\w+)` \|.*`([^`]+)` in hosted mode", text, re.M))
    hosted = {name.upper(): getattr(Settings(mode="hosted"), name) for name in HOSTED}
    assert said == {name: written(value) for name, value in hosted.items()}


def test_the_image_asks_for_hosted_mode_and_leaves_root() -> None:
    image = (ROOT / "Dockerfile").read_text()
    assert re.search(r"ATTNVIZ_MODE=hosted$", image, re.M)
    assert image.index("USER attnviz") < image.index("CMD [")
    assert "/readyz" in image[image.index("HEALTHCHECK") :]


def test_the_lock_has_every_pin_with_a_hash_and_no_address() -> None:
    lock = (ROOT / "requirements.lock").read_text()
    pins = re.findall(r"^([\w.-]+==[\w.]+)", (ROOT / "requirements.txt").read_text(), re.M)
    locked = re.findall(r"^([\w.-]+==[\w.]+)(?:\+cpu)? \\\n(    --hash=sha256:[0-9a-f]{64})", lock, re.M)
    named = [{re.sub(r"[-_.]+", "-", pin.lower()) for pin in some} for some in (pins, [pin for pin, _ in locked])]
    assert named[0] <= named[1]
    assert len(locked) == lock.count("==") and not re.search(r"://|--(extra-)?index|--find-links", lock)


def test_every_streamlit_option_we_set_exists() -> None:
    known = set(config.get_config_options())
    file = tomllib.loads((ROOT / "app" / ".streamlit" / "config.toml").read_text())
    ours = {f"{section}.{name}" for section, options in file.items() for name in options}
    ours |= {f"theme.{side}.{name}" for side in ("light", "dark") for name in file["theme"][side]}
    assert {name for name in ours | set(HOSTED_OPTIONS) if name not in known} <= {"theme.light", "theme.dark"}


def test_the_local_configuration_serves_this_machine_alone_and_reports_to_nobody() -> None:
    file = tomllib.loads((ROOT / "app" / ".streamlit" / "config.toml").read_text())
    assert file["server"]["address"] == "127.0.0.1"
    assert file["browser"]["gatherUsageStats"] is False
    assert [face["url"] for face in file["theme"]["fontFaces"] if not face["url"].startswith("app/static/")] == []
