#!/usr/bin/env python3
"""Trains the models of turns: what a message does within its conversation, and which of the products shown it is about.
Reads data/turns/{a,b,c,d}.jsonl and the features that `emptor eval turns` writes, writes data/turns/kinds.txt and pointing.txt.

  train_turns.py FEATURES [--answers FEATURES ANSWERS]...

FEATURES      of `emptor eval turns data/turns/*.jsonl --features FEATURES`
--answers     of `emptor eval turns --cases CASES --features FEATURES` and `emptor eval answers --cases CASES --json ANSWERS` in one
              shop: what the rules read of open turns that were answered rightly is right
"""
import argparse
import collections
import json
import math
from pathlib import Path

import numpy as np
from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression

ROOT = Path(__file__).resolve().parents[3]
LEARNED, HELD_OUT = "abcd", "e"
SORTS = ("find", "shown", "desk", "talk")  # TurnSort of services/eval/labelled_turns.h
OF_SHOWN, OF_DESK = {"ask", "rank", "compare", "sum", "advise", "cart"}, {"policy", "order", "human", "complain"}
SCALE = 20               # weights are whole twentieths
PLAIN, WORDS = 0.6, 3.0  # how strongly features of the scene, and words of the message, may count before the penalty
LEAST_PLAIN, LEAST_WORD = 1, 6  # smaller weights are dropped
LEAST_COUNT, ANSWER_WEIGHT = 3, 2.0
KIND_STRENGTH, POINTING_STRENGTH = 1.5, 1.0


def kind(act):
    if act["act"] == "find" or (act["act"] == "rank" and not isinstance(act.get("about"), list)):
        return "find_same" if act.get("same") or act["act"] == "rank" else "find"
    return "shown" if act["act"] in OF_SHOWN else "desk" if act["act"] in OF_DESK else "talk"


def labels():
    """{turn: (file, kind, products of the first act, of all acts)}"""
    found = {}
    for name in LEARNED + HELD_OUT:
        for line in (ROOT / "data" / "turns" / f"{name}.jsonl").read_text(encoding="utf-8").splitlines():
            conversation = json.loads(line)
            ids, shown = {}, {}
            for number, turn in enumerate(conversation["turns"], 1):
                about = [a["about"] for a in turn["acts"] if a["act"] in OF_SHOWN and isinstance(a.get("about"), list) and a["about"]]
                sets = [{shown[each] for each in some} for some in about]
                if turn["acts"]:
                    found[f"{name}-{conversation['id']}#{number}"] = (
                        name, kind(turn["acts"][0]), sets[0] if sets else set(), set().union(*sets))
                for k, product in enumerate(turn.get("shown", []), 1):
                    title = (product.rpartition("|")[0] or product).strip()
                    ids.setdefault(title, f"{name}-{conversation['id']}-{len(ids)}")
                    shown[f"{number}.{k}"] = ids[title]
    return found


def rows_of_turns(path):
    known, rows = labels(), []
    for line in Path(path).read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if row["turn"] in known:
            row["file"], row["label"], row["first"], row["all"] = known[row["turn"]]
            rows.append(row)
    return rows


def rows_of_answers(features, answers):
    right = {answer["turn"] for answer in map(json.loads, Path(answers).read_text(encoding="utf-8").splitlines())
             if answer["right"] and not answer["sealed"]}
    rows = []
    for row in map(json.loads, Path(features).read_text(encoding="utf-8").splitlines()):
        if row["turn"] not in right:
            continue
        label = SORTS[row["sort"]]
        row["label"] = "find_same" if label == "find" and row["follows"] else label
        row["first"] = row["all"] = set(row["about"])
        row["file"] = "answers"
        rows.append(row)
    return rows


class Model:
    """Logistic regression over features, of which the words of a message count as one."""

    def __init__(self, items, answers, weights, strength):
        counts = collections.Counter(name for plain, words in items for name in (*plain, *words))
        self.known = {name for name, count in counts.items() if count >= LEAST_COUNT}
        self.plain = {name for plain, _ in items for name in plain}
        self.vectorizer = DictVectorizer()
        self.fit = LogisticRegression(C=strength, max_iter=400)
        self.fit.fit(self.vectorizer.fit_transform(map(self.row, items)), answers, sample_weight=weights)

    def row(self, item):
        plain, words = item
        share = WORDS / math.sqrt(max(1, len(words)))
        return {name: value for names, value in ((plain, PLAIN), (words, share)) for name in names if name in self.known}

    def probabilities(self, items):
        return self.fit.predict_proba(self.vectorizer.transform(map(self.row, items)))

    def write(self, path, classes):
        names = self.vectorizer.get_feature_names_out()
        is_plain = np.array([name in self.plain for name in names])
        weights = np.round(self.fit.coef_.T * SCALE * np.where(is_plain, PLAIN, WORDS)[:, None])
        bias = np.round(self.fit.intercept_ * SCALE)
        if len(bias) == 1:  # two classes: the first has no weights
            weights, bias = np.hstack([np.zeros_like(weights), weights]), np.concatenate([[0], bias])
        weights[np.abs(weights) < np.where(is_plain, LEAST_PLAIN, LEAST_WORD)[:, None]] = 0
        with path.open("w", encoding="utf-8") as file:
            file.write("# Weights of turns; written by services/assistant/training/train_turns.py.\n")
            file.write("acts " + " ".join(classes) + "\nbias " + " ".join(f"{b:.0f}" for b in bias) + "\n")
            for name, row in zip(names, weights):
                if row.any():
                    file.write("".join(f"{chr(97 + i)}{w:.0f}" for i, w in enumerate(row) if w) + f"\t{name}\n")


def report(kinds, pointing, rows):
    held = [row for row in rows if row["file"] == HELD_OUT]
    best = kinds.fit.classes_[kinds.probabilities([(row["kind"], row["letters"]) for row in held]).argmax(axis=1)]
    plain = [label.split("_")[0] for label in best]
    print(f"held out: kind {np.mean([b == row['label'] for b, row in zip(best, held)]):.3f} of five, "
          f"{np.mean([b == row['label'].split('_')[0] for b, row in zip(plain, held)]):.3f} of four, {len(held)} turns")
    shown = [row for row in held if row["all"]]
    right = 0
    for row in shown:
        found = pointing.probabilities([(p["plain"], p["words"]) for p in row["products"]])[:, 1]
        likely = {p["id"] for p, q in zip(row["products"], found) if q > 0.5 or q == found.max()}
        right += likely in (row["first"], row["all"])
    print(f"held out: exactly the products {right / len(shown):.3f} of {len(shown)} turns")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("features")
    parser.add_argument("--answers", nargs=2, action="append", default=[])
    options = parser.parse_args()
    rows = rows_of_turns(options.features)
    for features, answers in options.answers:
        rows += rows_of_answers(features, answers)
    learned = [row for row in rows if row["file"] != HELD_OUT]
    weight = {row["turn"]: ANSWER_WEIGHT if row["file"] == "answers" else 1.0 for row in learned}
    kinds = Model([(row["kind"], row["letters"]) for row in learned], [row["label"] for row in learned],
                  [weight[row["turn"]] for row in learned], KIND_STRENGTH)
    pairs = [(row, product) for row in learned if row["all"] for product in row["products"]]
    pointing = Model([(p["plain"], p["words"]) for _, p in pairs], [p["id"] in row["all"] for row, p in pairs],
                     [weight[row["turn"]] for row, _ in pairs], POINTING_STRENGTH)
    report(kinds, pointing, rows)
    kinds.write(ROOT / "data" / "turns" / "kinds.txt", kinds.fit.classes_)
    pointing.write(ROOT / "data" / "turns" / "pointing.txt", ("other", "pointed"))


if __name__ == "__main__":
    main()
