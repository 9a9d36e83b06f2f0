"""Which languages there are, what each calls itself, and which one a browser's locale means."""

from typing import Final, Literal

Language = Literal["en", "zh-CN", "zh-TW"]

LANGUAGES: Final[tuple[Language, ...]] = ("en", "zh-CN", "zh-TW")

# A language is always listed in its own script, so that a person who cannot read the screen still finds theirs.
NATIVE_NAMES: Final[dict[Language, str]] = {"en": "English", "zh-CN": "简体中文", "zh-TW": "繁體中文"}

_TRADITIONAL: Final = frozenset({"tw", "hk", "mo", "hant"})


def negotiate(locale: str | None) -> Language:
    """Return the language of ours that best serves a locale such as "zh-Hant-HK", "zh_CN" or "fr".

    Args:
        locale: a BCP 47 or POSIX name in any case, or None when the browser sends none.
    Returns:
        "zh-TW" for Chinese written in traditional characters, "zh-CN" for any other Chinese, else "en".
    """
    parts = (locale or "").strip().lower().replace("_", "-").split(".")[0].split("-")
    if parts[0] != "zh":
        return "en"
    if "hans" in parts:  # an explicit script outranks the region: zh-Hans-HK reads simplified characters
        return "zh-CN"
    return "zh-TW" if _TRADITIONAL.intersection(parts) else "zh-CN"
