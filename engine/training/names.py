"""Makes up brands, words, model codes and spelling mistakes; the evaluation draws from a reserved part."""

import random
import string
import zlib

import shops

_ONSETS = (
    "b c d f g h j k l m n p r s t v w z br cr dr fr gr tr pr pl cl bl fl gl st sk sh th ch qu kr vr sp sl sn sw".split()
)
_VOWELS = "a e i o u a e i o ai ea oo ia au ee ou y".split()
_ENDINGS = ["", "", "", "n", "r", "l", "s", "t", "x", "m", "k", "nd", "rt", "st", "ck", "v", "d", "z", "lt", "ng", "ne"]


def is_reserved(word: str) -> bool:
    """Whether a made-up word belongs to evaluation: one in ten, by a stable hash."""
    return zlib.crc32(word.lower().encode()) % 10 == 0


class NameMaker:
    """A stream of made-up names from one random generator."""

    def __init__(self, rng: random.Random, held_out: bool):
        self.rng = rng
        self.held_out = held_out

    def nonsense(self) -> str:
        while True:
            word = self._nonsense_candidate()
            if is_reserved(word) == self.held_out:
                return word

    def _nonsense_candidate(self) -> str:
        pick = self.rng.choice
        if self.rng.random() < 0.1:
            return "".join(pick(string.ascii_lowercase) for _ in range(self.rng.randint(3, 6)))
        syllables = self.rng.choice([1, 1, 2, 2, 3])
        return "".join(pick(_ONSETS) + pick(_VOWELS) + pick(_ENDINGS) for _ in range(syllables))

    def brand(self) -> str:
        kind = self.rng.random()
        if kind < 0.62:
            return self.nonsense().capitalize()
        if kind < 0.74:
            return self.rng.choice(shops.BRAND_PARTS[0]) + self.rng.choice(shops.BRAND_PARTS[1])
        if kind < 0.82:
            return self.nonsense()[:5].upper()
        if kind < 0.92:
            return f"{self.nonsense().capitalize()} {self.rng.choice(shops.TITLE_WORDS)}"
        return f"{self.nonsense().capitalize()} & {self.nonsense().capitalize()}"

    def code(self) -> str:
        rng, kind = self.rng, self.rng.random()
        if kind < 0.4:
            return self._letters(rng.choice([1, 1, 2])) + str(rng.randint(1, 999))
        if kind < 0.6:
            return f"{self._letters(2)}-{rng.randint(10, 9999)}"
        if kind < 0.75:
            return str(rng.randint(2, 9999))
        return self._letters(rng.randint(1, 3)) + str(rng.randint(1, 99)) + self._letters(1)

    def _letters(self, count: int) -> str:
        return "".join(self.rng.choice("ABCDEFGHJKLMNPQRSTUVWXZ") for _ in range(count))

    def key(self) -> str:
        """An attribute key that no lexicon knows: rare words or pure nonsense."""
        kind = self.rng.random()
        noun = self.rng.choice(shops.KEY_NOUNS)
        if kind < 0.45:
            return f"{self.rng.choice(shops.KEY_ADJECTIVES + shops.KEY_NOUNS)} {noun}"
        if kind < 0.6:
            return f"{self.nonsense()} {noun}"
        if kind < 0.7:
            return noun
        return self.nonsense() if kind < 0.9 else f"{self.nonsense()} {self.nonsense()}"

    def free_value(self) -> str:
        """A value for a key that no lexicon knows."""
        rng, kind = self.rng, self.rng.random()
        if kind < 0.45:
            unit = rng.choice("mm cm inches kg g W hours liters units V bar % C rpm dB points years ml".split())
            return f"{rng.randint(1, 999)} {unit}"
        if kind < 0.6:
            return str(rng.randint(1, 500))
        if kind < 0.8:
            return f"{self.nonsense()} {rng.choice(shops.KEY_NOUNS)}"
        return rng.choice([self.nonsense(), self.nonsense().capitalize(), self.code()])

    def misspell(self, text: str) -> str:
        """One typing mistake in one longer word."""
        words = text.split(" ")
        places = [i for i, word in enumerate(words) if len(word) > 4 and word.isalpha()]
        if not places:
            return text
        place = self.rng.choice(places)
        word, at = words[place], self.rng.randint(1, len(words[place]) - 3)
        kind = self.rng.random()
        if kind < 0.4:
            word = word[:at] + word[at + 1] + word[at] + word[at + 2 :]
        elif kind < 0.75:
            word = word[:at] + word[at + 1 :]
        else:
            word = word[:at] + word[at] + word[at:]
        words[place] = word
        return " ".join(words)
