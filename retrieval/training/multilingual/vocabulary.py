"""The vocabulary of the embedder: pieces of e5's tokenizer in the letters of five languages, and whole words."""
import math
import re
from collections import Counter, defaultdict

from tokenizers import Tokenizer, models

import words
from words import MARK

LETTERS = set("abcdefghijklmnopqrstuvwxyzäöüàâæçéèêëîïôœùûÿñáíóúß")
SINGLE = "abcdefghijklmnopqrstuvwxyz0123456789äöüàâæçéèêëîïôœùûÿñáíóúıłøåãõăşšžčćřěęąğışđ"
UNKNOWN = "<unk>"
PIECES = {"latin": 29000, "han": 10500, "number": 2000}   # of e5's vocabulary
LOWEST = -16.0            # log probability of a rare word
CORE = ("types", "values", "attributes", "units", "key_words", "accessories")   # lexicons whose every word is kept


def script(text):
    """latin, han or number: the kinds of pieces that are kept; None for the others."""
    if all(c in LETTERS for c in text):
        return "latin"
    if all(words.IS_HAN.match(c) for c in text):
        return "han"
    return "number" if re.fullmatch(r"[0-9.]+", text, re.ASCII) else None


class Trigrams:
    """How much a word looks like the words of a language."""

    def __init__(self, known):
        self.counts, self.before = Counter(), Counter()
        for word in known:
            for trigram in self.cut(word):
                self.counts[trigram] += 1
                self.before[trigram[:2]] += 1

    @staticmethod
    def cut(word):
        padded = f"^{word}$"
        return [padded[i:i + 3] for i in range(len(padded) - 2)]

    def score(self, word, whole):
        """Mean log probability of a letter."""
        cut = self.cut(word)
        cut = cut if whole or len(cut) < 2 else cut[:-1]
        return sum(math.log((self.counts[t] + 0.1) / (self.before[t[:2]] + 3)) for t in cut) / len(cut)


class KnownWords:
    """Words of the project's lexicons by language, and the English ones of BERT's vocabulary and WordNet."""

    def __init__(self, sources):
        self.counts = {language: Counter() for language in ("en", "de", "fr", "es", "zh")}
        for language, text in sources.spoken_texts():
            self.counts[language].update(self.cut(text))
        self.core = {language: Counter() for language in self.counts}
        for name in CORE:
            for concept in sources.concepts[name]:
                for language, phrases in concept.items():
                    if language in self.core:
                        self.core[language].update(w for p in phrases for w in self.cut(p))
        self.wordnet = Counter(w for _, lemmas, gloss in sources.wordnet for t in (*lemmas, gloss)
                               for w in words.normalize(t).split())
        self.bert = [w for w in sources.bert_vocabulary if w.isascii() and w.isalpha() and len(w) > 1]
        frequent = {w for w, n in self.wordnet.items() if n >= 12 and len(w) > 1 and script(w) == "latin"}
        self.english = set(self.counts["en"]) | set(self.bert) | frequent

    @staticmethod
    def cut(text):
        return [w for w in words.normalize(text).split() if script(w)]

    def trigrams(self):
        return [Trigrams(sorted(known)) for known in (self.english, *(self.counts[x] for x in ("de", "fr", "es")))]

    def wanted(self):
        """Words that become pieces of their own."""
        english = (w for w in sorted(self.english) if self.counts["en"][w] or self.wordnet[w] >= 6)
        other = (w for language in ("de", "fr", "es") for w in sorted(self.counts[language])
                 if script(w) == "latin" and (self.core[language][w] or self.counts[language][w] >= 3))
        chinese = (w for w in sorted(self.core["zh"]) if 1 < len(w) <= 4 and script(w) == "han")
        return [*(MARK + w for found in (english, other) for w in found if len(w) > 1), *chinese]


class Vocabulary:
    """piece -> log probability. `spelled`: its usual spelling in e5's vocabulary; `origins`: e5's ids."""

    def __init__(self, pieces, known):
        self.scores, self.spelled, self.origins = {}, {}, {}
        self.add_pieces(pieces, known.trigrams())
        self.add_words(dict.fromkeys(known.wanted()))
        self.listed = [(UNKNOWN, 0.0), *sorted(self.scores.items(), key=lambda p: (-p[1], p[0]))]
        self.pieces = [piece for piece, _ in self.listed]
        self.ids = {piece: i for i, piece in enumerate(self.pieces)}

    @staticmethod
    def fold_pieces(pieces):
        """(piece in lower case, script) -> [(log probability, spelling, id)]"""
        merged = defaultdict(list)
        for index, (piece, score) in enumerate(pieces):
            body = piece.removeprefix(MARK)
            folded = words.normalize(body)
            if not folded or " " in folded or MARK in body or len(folded) != len(words.fold(body)):
                continue
            found = script(folded)
            if found and not (found == "han" and piece.startswith(MARK)):
                merged[piece[:len(piece) - len(body)] + folded, found].append((score, body, index))
        return merged

    def add_pieces(self, pieces, trigrams):
        """The most frequent pieces of each script that look like one of the languages."""
        ranked = {name: [] for name in PIECES}
        for (piece, found), forms in self.fold_pieces(pieces).items():
            score = math.log(sum(math.exp(s) for s, _, _ in forms))
            body, whole = piece.removeprefix(MARK), piece.startswith(MARK)
            rank = score
            if len(body) == 1 or found == "latin" and len(body) == 2:
                rank += 100
            elif found == "latin":
                rank += 5 * max(t.score(body, not whole) for t in trigrams)
            ranked[found].append((rank, piece, score, forms))
        for found, limit in PIECES.items():
            for _, piece, score, forms in sorted(ranked[found], reverse=True)[:limit]:
                self.scores[piece] = score
                self.spelled[piece] = max(forms)[1]
                self.origins[piece] = [index for _, _, index in forms]
        worst = min(self.scores.values())
        for character in SINGLE:
            self.scores.setdefault(character, worst - 1)
            self.scores.setdefault(MARK + character, worst - 1)
        self.scores.setdefault(MARK, -4.0)

    def add_words(self, wanted):
        """Each slightly more probable than the pieces that it would be cut into."""
        tokenizer = Tokenizer(models.Unigram([(UNKNOWN, 0.0), *self.scores.items()], 0))
        fresh = [p for p in wanted if p not in self.scores]
        for piece, encoding in zip(fresh, tokenizer.encode_batch(fresh)):
            total = sum(self.scores.get(t, -30.0) for t in encoding.tokens)
            self.scores[piece] = max(total + 0.5, LOWEST)

    def tokenizer(self):
        return Tokenizer(models.Unigram(self.listed, 0))
