"""What a model writes, word by word with its probability: as it wrote it, and anew with something switched."""

from dataclasses import dataclass, replace

from attnviz.core.errors import AttnvizError
from attnviz.explanation import whatif
from attnviz.explanation.whatif import Switches
from attnviz.trace.decoder_rows import END
from attnviz.trace.model_protocol import Model
from attnviz.trace.trace import Trace

MOST_WORDS = 24  # of a text that is written anew: each word is a run
MORE = 4  # words that the new text may be longer; one that reaches them goes on


@dataclass(frozen=True)
class WrittenWord:
    text: str
    probability: float  # of the whole vocabulary


def written_words(base: Trace) -> tuple[WrittenWord, ...]:
    """What the model wrote in a run, if it chose the likeliest word each time; else nothing."""
    predicted, target = base.predicted_tokens, base.tokens.target
    if predicted is None or target is None or predicted.ids[: len(target) - 1, 0].tolist() != list(target.ids[1:]):
        return ()
    shares = predicted.probabilities[:, 0].tolist()
    return tuple(WrittenWord(text, share) for text, share in zip(target.text[1:], shares, strict=False))


def written_anew(model: Model, base: Trace, switches: Switches) -> tuple[WrittenWord, ...]:
    """What the model writes with something switched, by greedy decoding: each word is a whole run, switched alike.

    No words where the text is too long for that, or its words cannot be read again as the same tokens.
    """
    before = written_words(base)
    if not 0 < len(before) <= MOST_WORDS:
        return ()
    words: list[WrittenWord] = []
    try:
        while len(words) < len(before) + MORE:
            read = model.trace(base.tokens.source.given, _joined(words))
            target = read.tokens.target
            if target is None or len(target) != len(words) + 1:
                return ()
            hidden = switches.hidden_target
            usable = replace(switches, hidden_target=hidden if hidden is not None and hidden < len(target) else None)
            predicted = whatif.run(model, read, usable).prediction
            assert predicted is not None, "the model writes, so it predicts"
            text = predicted.texts[-1][0]
            if text == END:
                break
            words.append(WrittenWord(text, float(predicted.probabilities[-1, 0])))
    except AttnvizError:  # a word that the model would write cannot be read again
        return ()
    return tuple(words)


def _joined(words: list[WrittenWord]) -> str:
    """The words as one text; blanks stand between those that are written with them."""
    between = " " if all(word.text.isascii() for word in words) else ""
    return between.join(word.text for word in words)
