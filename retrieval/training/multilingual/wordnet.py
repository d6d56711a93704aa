"""Words and definitions of WordNet, from the files of Debian's package wordnet-base."""
import re


def load(folder):
    """[(lexicographer's file, lemmas, definition)]"""
    found = []
    for name in ("noun", "verb", "adj", "adv"):
        for line in (folder / f"data.{name}").read_text(encoding="utf-8").splitlines():
            if line.startswith(" "):   # the licence
                continue
            head, _, gloss = line.partition(" | ")
            fields = head.split()
            lemmas = [re.sub(r"\(.*", "", fields[4 + 2 * i]).replace("_", " ") for i in range(int(fields[3], 16))]
            found.append((int(fields[1]), lemmas, gloss.strip()))
    return found
