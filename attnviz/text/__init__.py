"""Every word a person reads, in English, Simplified Chinese and Traditional Chinese, and the rule that picks one.

The words live in en.ftl, zh-CN.ftl and zh-TW.ftl beside this file; docs/glossary.md fixes the terms they use.
"""

from attnviz.text.languages import LANGUAGES, NATIVE_NAMES, Language, negotiate
from attnviz.text.numbers import figure, signed
from attnviz.text.strings import Strings, sentences, strings

__all__ = ["LANGUAGES", "NATIVE_NAMES", "Language", "Strings", "figure", "negotiate", "sentences", "signed", "strings"]
