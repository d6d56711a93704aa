"""Text into hashed features, as catalog/text_safety/classifier_features.cc does it."""
import functools
import pathlib
import re
import unicodedata

BUCKETS = 1 << 14
WINDOW, STEP = 24, 12
_WORDS_SOURCE = pathlib.Path(__file__).parent.parent / "text_safety" / "classifier_words.cc"
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)?|\?")
_IGNORABLE = re.compile("[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f"
                        "\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8"
                        "\U000e0000-\U000e0fff]")


def _read_classes():
    source = _WORDS_SOURCE.read_text()
    for name, words, stems in re.findall(r'\{"(\w+)",((?:\s*"[^"]*")+),\s*(true|false)\}', source):
        yield name, "".join(re.findall(r'"([^"]*)"', words)).split(), stems == "true"


_WHOLE, _STEMS = {}, {}
for _name, _words, _is_stem in _read_classes():
    for _word in _words:
        _WHOLE.setdefault(_word, set()).add(_name)
        if not _is_stem:
            _WHOLE.setdefault(_word + "s", set()).add(_name)
        elif len(_word) >= 4:
            _STEMS.setdefault(_word, set()).add(_name)


@functools.lru_cache(None)
def classes(word):
    found = set(_WHOLE.get(word, ()))
    for size in range(4, len(word) + 1):
        found |= _STEMS.get(word[:size], set())
    return frozenset(found)


@functools.lru_cache(None)
def bucket(feature):
    value = 2166136261
    for byte in feature.encode():
        value = ((value ^ byte) * 16777619) & 0xFFFFFFFF
    return (value ^ (value >> 15)) % BUCKETS


def fold(text):
    text = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    return _IGNORABLE.sub("", text).replace("\u2019", "'")


def words_of(folded):
    return [re.sub(r"\d", "0", word) for word in _WORD.findall(folded)]


def pieces(folded):
    """Sentences, long ones in overlapping windows."""
    found = []
    for sentence in re.split(r"(?<=[.!?;:])\s+|\n+", folded):
        words, begin = words_of(sentence), 0
        while True:
            window = words[begin:begin + WINDOW]
            if len(window) >= 2:
                found.append(window)
            if begin + WINDOW >= len(words):
                break
            begin += STEP
    return found


def _lead(words, mark):
    for word in words[:2]:
        kinds = classes(word)
        if "ask" in kinds:
            return "ask" + mark
        if "order" in kinds:
            return "order"
    return "other"


def features(words):
    """Buckets of a piece, each once."""
    mark = "?" if words and words[-1] == "?" else ""
    lead = _lead(words, mark)
    found = {bucket("l" + lead)}
    for size in (1, 2, 3):
        found.add(bucket(f"s{size}{mark}" + " ".join(words[:size])))
    previous, counts = "^", {}
    for word in words:
        found.add(bucket("u" + word))
        found.add(bucket(f"b{previous} {word}"))
        if len(word) > 5:
            found.add(bucket("p" + word[:5]))
        for kind in classes(word) - {"ask", "order"}:
            counts[kind] = counts.get(kind, 0) + 1
        previous = word
    kinds = sorted(counts)
    for i, first in enumerate(kinds):
        found.add(bucket("c" + first))
        found.add(bucket("x" + lead + first))
        if counts[first] > 1:
            found.add(bucket("d" + first))
        for second in kinds[i + 1:]:
            found.add(bucket("y" + first + second))
            found.add(bucket("z" + lead + first + second))
    return sorted(found)
