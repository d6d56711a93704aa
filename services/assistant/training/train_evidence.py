#!/usr/bin/env python3
"""Learns the weights of services/assistant/schema/evidence.cc from judged sentences.

  emptor eval evidence --cases epqa.jsonl --features epqa.tsv
  train_evidence.py epqa.tsv hetpqa.tsv

Logistic regression over differences of features of two sentences of one question, one judged better than the other
(RankSVM's pairs, Joachims 2002). Prints, for each file, how often the first sentence is right when every product is ranked
with weights that were learned without it (five folds by product), then the weights of all files together.
"""
import collections
import sys
import zlib

import numpy
from sklearn.linear_model import LogisticRegression

FOLDS = 5
STRENGTH = 0.3  # inverse of the L2 penalty; 0.05 to 1 differ by less than a standard error


def read(path):
    """Lists of (label, features) by (question, product)."""
    questions = collections.OrderedDict()
    with open(path, encoding="utf-8") as file:
        for line in file:
            question, product, label, *features = line.rstrip("\n").split("\t")
            key = (path, question, product or question)
            questions.setdefault(key, []).append((int(label), numpy.array(features, dtype=float)))
    return questions


def pairs(questions, scale):
    rows, labels, weights = [], [], []
    for sentences in questions.values():
        better = [(a - b) / scale for la, a in sentences for lb, b in sentences if la > lb]
        for row in better:
            rows += [row, -row]
            labels += [1, 0]
            weights += [len(better) ** -0.5] * 2
    return numpy.array(rows), labels, weights


def learn(questions, scale):
    rows, labels, weights = pairs(questions, scale)
    model = LogisticRegression(C=STRENGTH, fit_intercept=False, max_iter=1000)
    return model.fit(rows, labels, sample_weight=weights).coef_[0] / scale


def right_first(questions, weights_of, relevant_from):
    right = total = 0
    for key, sentences in questions.items():
        if not any(label >= relevant_from for label, _ in sentences):
            continue
        scores = [features @ weights_of(key) for _, features in sentences]
        best = [label for (label, _), score in zip(sentences, scores) if score == max(scores)]
        right += sum(label >= relevant_from for label in best) / len(best)
        total += 1
    return f"{right / max(1, total):.3f} of {total}"


def fold_of(key):
    return zlib.crc32(key[2].encode()) % FOLDS


def main(paths):
    files = {path: read(path) for path in paths}
    every = {key: value for questions in files.values() for key, value in questions.items()}
    scale = numpy.array([f for sentences in every.values() for _, f in sentences]).std(axis=0) + 1e-9
    folds = [learn({k: v for k, v in every.items() if fold_of(k) != fold}, scale) for fold in range(FOLDS)]
    for path, questions in files.items():
        for relevant_from in sorted({label for s in questions.values() for label, _ in s} - {0}):
            share = right_first(questions, lambda key: folds[fold_of(key)], relevant_from)
            print(f"{path}: label {relevant_from} or more first, out of fold: {share}")
    print(", ".join(f"{weight:.3f}f" for weight in learn(every, scale)))


if __name__ == "__main__":
    main(sys.argv[1:])
