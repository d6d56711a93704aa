#!/usr/bin/env python3
"""Trains the act classifier: what a message wants, by its words and letters. Reads data/acts/messages.txt and data/lexicon,
writes data/acts/model.txt and data/acts/reference.tsv.

  train_acts.py            measures on the messages that are held out (every fifth), then trains on all and writes
  train_acts.py --measure  measures only, and compares with the shipped embedder (needs its packages)
"""
import argparse
import collections
import hashlib
import random
import re
import sys
import unicodedata
from pathlib import Path

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression

ROOT = Path(__file__).resolve().parents[3]
LANGUAGES = "en de fr es zh".split()
PRODUCT, POLICY = "product", "policy"
SEED, STRENGTH = 1, 4.0
MAX_WORDS, LETTERS = 60, (4, 5)
MAX_FEATURES, SCALE, LEAST = 14000, 20, 4  # features kept; weights are whole twentieths; smaller ones are dropped
# Phrases of the lexicons are fragments of messages: they count less.
PHRASE, ACT_PHRASE = 0.12, 0.5
TOTALS = collections.defaultdict(lambda: 300, {PRODUCT: 2500, POLICY: 1200})  # weight of all examples of an act
PRODUCT_CUES = "price stock rating reviews sale listprice total compare which more back howmany".split()
TEMPLATES = {
    "en": ["{}", "i need a {}", "do you have {}", "show me {} under 100", "is the {} any good", "which {} is best",
           "looking for {} for my {}", "how much is the {}", "{} with {}"],
    "de": ["{}", "ich suche {}", "habt ihr {}", "{} unter 100 euro", "welche {} ist gut", "was kostet {}"],
    "fr": ["{}", "je cherche {}", "avez vous {}", "{} à moins de 100 euros", "quel {} choisir", "combien coûte {}"],
    "es": ["{}", "busco {}", "tienen {}", "{} por menos de 100", "qué {} es mejor", "cuánto cuesta {}"],
    "zh": ["{}", "我想买{}", "有{}吗", "一百以内的{}", "哪款{}好", "{}多少钱"]}


def fold(text):
    """FoldWords of retrieval/text/fold.h."""
    text = re.sub("['’]", "", unicodedata.normalize("NFKC", text).casefold())
    text = "".join(c for c in unicodedata.normalize("NFD", text) if not unicodedata.combining(c))
    return re.sub(r"[^\w]+|_", " ", unicodedata.normalize("NFC", text)).strip()


def features(message):
    """FeaturesOf of services/assistant/reading/act_classifier.cc."""
    words = [part for word in fold(message).split() for part in re.findall("[\u2e80-\uffff]+|[^\u2e80-\uffff]+", word)]
    found, before = set(), "^"
    for word in words[:MAX_WORDS]:
        if ord(word[0]) >= 0x2e80:
            found.update(word[i:i + n] for n in (1, 2, 3) for i in range(len(word) - n + 1))
            before = "^"
            continue
        word = re.sub(r"\d+", "0", word)
        found.update((word, f"{before} {word}"))
        padded = f"_{word}_"
        found.update("~" + padded[i:i + n] for n in LETTERS for i in range(len(padded) - n + 1))
        before = word
    return found | {before + " $"}


def lines(path):
    return [line for line in (ROOT / "data" / path).read_text(encoding="utf-8").splitlines() if line and line[0] != "#"]


def messages():
    """[(act, message)]"""
    found = []
    for line in lines("acts/messages.txt"):
        head, rest = line.split(": ", 1)
        found += [(head.split()[0], message) for message in rest.split(" | ")]
    return found


def groups(text):
    """[(language, phrases)] of "en | en ; de: .. | .."."""
    for group in text.split(" ; "):
        tag = re.match(r"\s*(\w+): ", group)
        language = tag[1] if tag and tag[1] in LANGUAGES else "en"
        body = group[tag.end():] if tag else group
        yield language, [p.strip(" ;").replace("...", " ") for p in body.split(" | ") if p.strip(" ;")]


def phrases():
    """[(act, text, weight)] of the lexicons."""
    rng, found, types = random.Random(SEED), [], collections.defaultdict(list)
    for line in lines("lexicon/policies.txt"):
        for _, some in groups(line.split(" : ", 1)[1]):
            found += [(POLICY, phrase, PHRASE) for phrase in rng.sample(some, min(12, len(some)))]
    for line in lines("lexicon/types.txt"):
        head, _, rest = line.partition(":")  # a type may have no other names
        types["en"].append(head)
        for language, some in groups(rest):
            types[language] += some
    for language, names in types.items():
        for name in rng.sample(names, min(1300, len(names))):
            text = rng.choice(TEMPLATES[language]).replace("{}", name, 1).replace("{}", rng.choice(names))
            found.append((PRODUCT, text, PHRASE))
    for name, separator in (("attributes", " : "), ("values", " : "), ("cues", ": ")):
        pool = []
        for line in lines(f"lexicon/{name}.txt"):
            head, _, rest = line.partition(separator)
            if name != "cues" or head.split()[0] in PRODUCT_CUES:
                pool += [phrase for _, some in groups(rest) for phrase in some]
        found += [(PRODUCT, phrase, PHRASE) for phrase in rng.sample(pool, min(3500, len(pool)))]
    for line in lines("lexicon/acts.txt"):
        act, rest = line.split(": ", 1)
        found += [(act, phrase, ACT_PHRASE) for _, some in groups(rest) for phrase in some]
    return found


def is_held_out(message):
    return int(hashlib.md5(message.encode()).hexdigest(), 16) % 5 == 0


class Model:
    """Multinomial logistic regression on the presence of features, each 1 / sqrt(their number)."""

    def __init__(self, examples):
        totals = collections.Counter()
        for act, _, weight in examples:
            totals[act] += weight
        found = [features(text) for _, text, _ in examples]
        counts = collections.Counter(f for each in found for f in each)
        self.index = {f: i for i, f in enumerate(sorted(f for f, n in counts.items() if n > 1))}
        fit = LogisticRegression(C=STRENGTH, max_iter=400)
        fit.fit(self.rows(found), [act for act, _, _ in examples],
                sample_weight=[weight * TOTALS[act] / totals[act] for act, _, weight in examples])
        self.acts, self.bias = list(fit.classes_), np.round(fit.intercept_ * SCALE)
        self.prune(np.round(fit.coef_.T * SCALE))

    def prune(self, weights):
        weights[np.abs(weights) < LEAST] = 0
        strength = np.abs(weights).max(axis=1)
        kept = np.sort(np.argsort(-strength, kind="stable")[:MAX_FEATURES])
        kept = [i for i in kept if strength[i] > 0]
        names = list(self.index)
        self.index = {names[i]: k for k, i in enumerate(kept)}
        self.weights = weights[kept]

    def rows(self, found):
        rows, columns, values = [], [], []
        for row, each in enumerate(found):
            for feature in each:
                if feature in self.index:
                    rows.append(row)
                    columns.append(self.index[feature])
                    values.append(1 / np.sqrt(len(each)))
        return csr_matrix((values, (rows, columns)), shape=(len(found), len(self.index)))

    def probabilities(self, texts):
        scores = (self.rows([features(text) for text in texts]) @ self.weights + self.bias) / SCALE
        scores = np.exp(scores - scores.max(axis=1, keepdims=True))
        return scores / scores.sum(axis=1, keepdims=True)

    def write(self, path):
        """A line of acts, a line of their biases, then "a-12 c5<tab>feature": weights by the letter of the act."""
        with path.open("w", encoding="utf-8") as file:
            file.write("# Weights of the act classifier; written by services/assistant/training/train_acts.py.\n")
            file.write("acts " + " ".join(self.acts) + "\n")
            file.write("bias " + " ".join(f"{b:.0f}" for b in self.bias) + "\n")
            for feature, k in self.index.items():
                file.write("".join(f"{chr(97 + a)}{w:.0f}" for a, w in enumerate(self.weights[k]) if w) + f"\t{feature}\n")


def report(name, acts, probabilities, held):
    best = probabilities.argmax(axis=1)
    right = [acts[b] == act for b, (act, _) in zip(best, held)]
    print(f"{name}: right {sum(right) / len(held):.3f} of {len(held)} messages")
    for least in (0.5, 0.6, 0.7, 0.8):
        fires = [i for i, b in enumerate(best) if acts[b] != PRODUCT and probabilities[i, b] >= least]
        wrong_goods = sum(held[i][0] == PRODUCT for i in fires)
        print(f"  at {least}: {len(fires)} taken from the search, {sum(right[i] for i in fires)} right, "
              f"{wrong_goods} were about goods")


def compare_with_embedder(examples, held):
    sys.path.insert(0, str(ROOT / "retrieval" / "training"))
    import bpe
    import gguf_file
    from tokenizers import Tokenizer
    path = ROOT / "retrieval" / "models" / "emptor-embed.gguf"
    reader, tokenizer = gguf_file.Reader(path), Tokenizer.from_str(gguf_file.tokenizer_json(path))
    embed = lambda texts: reader.embed_all(bpe.encode(tokenizer, list(texts)))
    totals = collections.Counter()
    for act, _, weight in examples:
        totals[act] += weight
    x, weights = embed(t for _, t, _ in examples), np.array([w * TOTALS[a] / totals[a] for a, _, w in examples])
    labels = np.array([act for act, _, _ in examples])
    fit = LogisticRegression(C=30, max_iter=400).fit(x, labels, sample_weight=weights)
    queries = embed(t for _, t in held)
    report("linear on the embedder", list(fit.classes_), fit.predict_proba(queries), held)
    acts = sorted(set(labels))
    centers = np.stack([(x * (weights * (labels == act))[:, None]).sum(axis=0) for act in acts])
    scores = queries @ (centers / np.linalg.norm(centers, axis=1, keepdims=True)).T * 12
    scores = np.exp(scores)
    report("nearest centroid of the embedder", acts, scores / scores.sum(axis=1, keepdims=True), held)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--measure", action="store_true")
    options = parser.parse_args()
    own, lexicon = messages(), phrases()
    held = [each for each in own if is_held_out(each[1])]
    seen = [(act, text, 1.0) for act, text in own if not is_held_out(text)] + lexicon
    model = Model(seen)
    report("words and letters", model.acts, model.probabilities([t for _, t in held]), held)
    if options.measure:
        compare_with_embedder(seen, held)
        return
    model = Model([(act, text, 1.0) for act, text in own] + lexicon)
    model.write(ROOT / "data" / "acts" / "model.txt")
    examples = [t for _, t in held[::6]]
    with (ROOT / "data" / "acts" / "reference.tsv").open("w", encoding="utf-8") as file:
        for text, row in zip(examples, model.probabilities(examples)):
            file.write(f"{text}\t{model.acts[row.argmax()]}\t{row.max():.4f}\n")


if __name__ == "__main__":
    main()
