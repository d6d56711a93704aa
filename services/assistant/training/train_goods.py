#!/usr/bin/env python3
"""Learns which goods a first message looks for: the weights of reading/goods_choice.cc.

    train_goods.py TURNS... --messages FEATURES TSV... --answers FEATURES ANSWERS...

TURNS are features of labelled conversations, as `emptor eval turns --features` writes them, with and without --bare. --messages
takes pairs of features of first messages and the file that they were read from (several files: joined by commas), --answers pairs
of features of cases and what `emptor eval answers --json` wrote of them. Each pair is of one shop: the figures of a shop are those
of weights learned without it.
"""
import argparse
import json
import os

import numpy

ROUNDS, RATE, DECAY = 600, 0.3, 2.0
OFTEN = 6  # real shops count so many times
CLEAR, OVER = 0.35, 1.5  # as goods_choice.cc has them


def words(name):
    return [word[:-1] if word.endswith("s") else word for word in name.lower().replace("-", " ").split()]


def is_alike(name, label):
    a, b = words(name), words(label)
    return bool(a) and bool(b) and (a == b or a[-1] == b[-1])


def read_lines(path):
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def candidates(line, share):
    """Features of all goods, and how right each is; nothing where none is right."""
    rows = numpy.array([each["features"] for each in line["goods"]])
    right = numpy.array([share(each) for each in line["goods"]], float)
    reads = [i for i, each in enumerate(line["goods"]) if each["is_read"]]
    return (rows, right, reads[0] if reads else None) if right.any() else None


def of_turn(line):
    """Labels are as narrow as their writer was: what was read is right where it is wider."""
    label, kinds = line.get("label"), line.get("kinds", [])
    if not label:
        return None

    def share(each):
        if any(words(each["name"]) == words(known) for known in [label, *kinds] if known):
            return 1
        return (1 if each["is_read"] else 0.3) if is_alike(each["name"], label) else 0

    return candidates(line, share)


def of_messages(features, files):
    labels = {}
    for path in files.split(","):
        with open(path, encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                stem = os.path.splitext(os.path.basename(path))[0]
                labels[f"{stem}#{number}"] = [name.strip() for name in line.rstrip("\n").split("\t")[3].split("|")]
    found = []
    for line in read_lines(features):
        types = labels[line["turn"]]

        def share(each):
            if any(words(each["name"]) == words(name) for name in types):
                return 1
            is_wider = len(words(each["name"])) == 1
            return 0.2 if is_wider and any(is_alike(each["name"], name) and len(words(name)) > 1 for name in types) else 0

        found.append(candidates(line, share))
    return [each for each in found if each]


def of_answers(features, answers):
    """Goods that the rules read in answers that were right."""
    right = {each["turn"] for each in read_lines(answers) if each["right"] and not each["sealed"] and "](/p/" in each["said"]}
    lines = [line for line in read_lines(features) if "goods" in line and line["turn"] in right]
    return [each for each in (candidates(line, lambda one: one["is_read"]) for line in lines) if each]


def probabilities(rows, weights):
    scores = rows @ weights
    power = numpy.exp(scores - scores.max())
    return power / power.sum()


def learn(examples):
    """A conditional logit by AdaGrad; the right goods share what is learned."""
    every = numpy.concatenate([rows for rows, _, _ in examples])
    scale = every.std(axis=0)
    scale[scale < 1e-3] = 1
    weights, squares = numpy.zeros(every.shape[1]), numpy.full(every.shape[1], 1e-8)
    for _ in range(ROUNDS):
        slope = -DECAY * weights / len(examples)
        for rows, right, _ in examples:
            scaled = rows / scale
            guess = probabilities(scaled, weights)
            wanted = guess * right / (guess @ right + 1e-12)
            slope += scaled.T @ (wanted - guess) / len(examples)
        squares += slope * slope
        weights += RATE * slope / numpy.sqrt(squares)
    return weights / scale


def count(examples, weights):
    """Messages, rightly read by the rules, and rightly chosen."""
    read_rightly = chosen_rightly = 0
    for rows, right, read in examples:
        guess = probabilities(rows, weights)
        best = int(guess.argmax())
        was_right = read is not None and right[read] > 0
        changes = best != read and guess[best] >= CLEAR and (read is None or guess[best] >= OVER * guess[read])
        read_rightly += was_right
        chosen_rightly += right[best] > 0 if changes else was_right
    return f"{len(examples)} messages: rules {read_rightly}, chosen {chosen_rightly}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("turns", nargs="+")
    parser.add_argument("--messages", nargs="*", default=[])
    parser.add_argument("--answers", nargs="*", default=[])
    arguments = parser.parse_args()
    turns = [each for path in arguments.turns for each in map(of_turn, (x for x in read_lines(path) if "goods" in x)) if each]
    shops = [of_messages(*pair) for pair in zip(arguments.messages[::2], arguments.messages[1::2])]
    for shop, pair in zip(shops, zip(arguments.answers[::2], arguments.answers[1::2])):
        shop.extend(of_answers(*pair))
    for i, shop in enumerate(shops):
        others = [each for k, other in enumerate(shops) if k != i for each in other]
        print(f"shop {i + 1}, by the others:", count(shop, learn(turns + others * OFTEN)))
    weights = learn(turns + [each for shop in shops for each in shop] * OFTEN)
    print(f"labelled turns, learned from: {count(turns, weights)}")
    print(", ".join(f"{weight:.2f}" for weight in weights))


if __name__ == "__main__":
    main()
