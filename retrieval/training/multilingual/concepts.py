"""Parallel phrases in five languages, out of the lexicons that the assistant reads (data/lexicon)."""
import re
from pathlib import Path

LANGUAGES = ("en", "de", "fr", "es", "zh")
FILES = ("types", "attributes", "values", "units", "key_words", "accessories", "needs", "contrasts", "facts", "policies",
         "claims", "situations", "dimensions", "degrees")
NAMED = ("types", "values")   # the part before the colon is English, too
BREAK = re.compile(r"\s*;\s*(?=(?:de|fr|es|zh):)")


def phrases(text):
    for phrase in text.split("|"):
        phrase = phrase.strip(" *+").replace("...", " ")
        if phrase and "*" not in phrase and "+" not in phrase and "=" not in phrase:
            yield phrase


def read(path, named):
    """One {language: phrases} for each line that has more than one language."""
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("#") or " : " not in line and ": " not in line:
            continue
        head, rest = re.split(r"\s*:\s", line, maxsplit=1)
        first, *others = BREAK.split(rest)
        found = {"en": [p for p in phrases(first.rpartition(" : ")[2]) if p.isascii()]}
        if named:
            found["en"] = [p for p in phrases(head) if p.isascii()] + found["en"]
        for part in others:
            language, _, words = part.partition(":")
            found.setdefault(language.strip(), []).extend(phrases(words))
        if found["en"] and len(found) > 1:
            yield found


def load(folder):
    return {name: list(read(folder / f"{name}.txt", name in NAMED)) for name in FILES}
