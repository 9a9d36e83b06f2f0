"""Times: last in an English sentence, before the verb in a Chinese one."""

from __future__ import annotations

from functools import cache

from attnviz.training.tasks.grammar.phrases import Phrase, arranged, word

PARTS = {"morning": "早上", "afternoon": "下午", "evening": "晚上"}
SPANS = {"week": "星期", "month": "月"}


def _parts(english: str, chinese: str) -> tuple[Phrase, ...]:
    return tuple(arranged(f"{english}=d {part}=p", f"{chinese}=d {own}=p") for part, own in PARTS.items())


def _spans(english: str, chinese: str) -> tuple[Phrase, ...]:
    return tuple(arranged(f"{english}=d {span}=s", f"{chinese}=d {own}=s") for span, own in SPANS.items())


@cache
def past() -> tuple[Phrase, ...]:
    """ "yesterday evening" 昨天晚上, "last week" 上个星期."""
    return (word("yesterday", "昨天"), *_parts("yesterday", "昨天"), *_spans("last", "上个"))


@cache
def future() -> tuple[Phrase, ...]:
    """ "tomorrow" 明天, "next month" 下个月."""
    return (word("tomorrow", "明天"), *_parts("tomorrow", "明天"), *_spans("next", "下个"))


@cache
def habitual() -> tuple[Phrase, ...]:
    """ "every day" 每天, "every morning" 每天早上, "every week" 每个星期."""
    parts = (arranged(f"every=e {part}=p", f"每=e 天~p {own}=p") for part, own in PARTS.items())
    return (arranged("every=e day=d", "每=e 天=d"), *parts, arranged("every=e week=w", "每=e 个~w 星期=w"))
