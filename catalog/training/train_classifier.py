"""Trains the injection classifier and writes catalog/text_safety/classifier_weights.cc.

    python3 catalog/training/train_classifier.py            # needs numpy and torch

Data: sentences of classifier_phrases.py and, as ordinary prose, the comments and documents of this
repository. No data set is read. The threshold is written by hand, see README.md.
"""
import pathlib
import random
import re

import numpy as np
import torch

import classifier_features as features
import classifier_phrases as phrases

ROOT = pathlib.Path(__file__).parent.parent.parent
OUT = ROOT / "catalog" / "text_safety" / "classifier_weights.cc"
THRESHOLD = 2.1
ROUNDS, BATCH, RATE, DECAY, DROPOUT = 8, 512, 0.02, 1e-4, 0.3
# Our own prose speaks of prompts and answers: such sentences are no ordinary text of a shop.
SPEAKS_OF_MODELS = re.compile(
    r"ignore|instruct|prompt|assistant|respon|repl|answer|model|system|user|output|attack|secret|"
    r"password|pretend|harm|forget|role", re.I)


def own_prose():
    found = []
    for folder in ("catalog", "retrieval", "engine", "services", "docs"):
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix == ".md":
                found += [re.sub(r"[`*|#]", "", s)
                          for s in re.split(r"(?<=[.!?])\s+", path.read_text().replace("\n", " "))]
            elif path.suffix in (".h", ".cc"):
                comments = " ".join(re.findall(r"//+ ?(.*)", path.read_text()))
                found += re.split(r"(?<=[.!?:])\s+", comments)
    return [s for s in found if 20 < len(s) < 300 and not SPEAKS_OF_MODELS.search(s)]


def examples(rng):
    words = lambda text: features.words_of(features.fold(text))
    prose = own_prose()
    ordinary = phrases.ordinary(rng, 40000) + [rng.choice(prose) for _ in range(20000)]
    rows, labels = [], []
    for text in phrases.attacks(rng, 40000):
        found = words(text)
        if rng.random() > 0.5 and rng.random() < 0.8 and "ask" in features.classes(found[0]):
            found.append("?")
        if rng.random() < 0.15:
            found = words(rng.choice(ordinary))[-6:] + found
        rows.append(found)
        labels.append(1.0)
    for text in ordinary:
        found = words(text)
        if rng.random() < 0.4:
            found += words(rng.choice(ordinary))
        if rng.random() < 0.2 and found[-1:] != ["?"]:
            found = found[rng.randrange(max(1, len(found))):]
        rows.append(found)
        labels.append(0.0)
    kept = [(features.features(r[:features.WINDOW]), y) for r, y in zip(rows, labels) if len(r) > 1]
    return [np.array(r) for r, _ in kept], torch.tensor([y for _, y in kept])


def train(rows, labels):
    weights = torch.nn.EmbeddingBag(features.BUCKETS, 1, mode="sum")
    torch.nn.init.zeros_(weights.weight)
    bias = torch.zeros(1, requires_grad=True)
    optimizer = torch.optim.Adam(list(weights.parameters()) + [bias], lr=RATE)
    order = np.arange(len(rows))
    for turn in range(ROUNDS):
        rng = np.random.default_rng(turn)
        rng.shuffle(order)
        for begin in range(0, len(order), BATCH):
            chosen = order[begin:begin + BATCH]
            kept = [rows[i][rng.random(len(rows[i])) > DROPOUT] for i in chosen]
            offsets = np.cumsum([0] + [len(row) for row in kept[:-1]])
            logits = weights(torch.tensor(np.concatenate(kept)), torch.tensor(offsets))[:, 0] + bias
            loss = torch.nn.functional.binary_cross_entropy_with_logits(logits, labels[chosen])
            loss = loss + DECAY * (weights.weight ** 2).sum()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print(f"round {turn}: loss {loss.item():.4f}")
    return weights.weight.detach().numpy()[:, 0], bias.item()


def write(weights, bias):
    scale = float(np.abs(weights).max()) / 127
    digits = np.round(weights / scale).astype(np.int8).tobytes().hex()
    lines = [digits[i:i + 88] for i in range(0, len(digits), 88)]
    body = "\n".join(f'    "{line}"' for line in lines)
    OUT.write_text(f"""// Written by catalog/training/train_classifier.py: weights of the injection classifier, int8 in hex.
#include <cassert>

#include "catalog/text_safety/injection_screen.h"
#include "catalog/text_safety/injection_classifier.h"

namespace emptor::catalog {{

const float kClassifierThreshold = {THRESHOLD}f;

namespace {{

constexpr float kScale = {scale:.9f}f, kBias = {bias:.9f}f;
constexpr std::string_view kWeights =
{body};

int Digit(char c) {{ return c <= '9' ? c - '0' : c - 'a' + 10; }}

InjectionClassifier MakeModel() {{
  InjectionClassifier model{{.weights = {{}}, .scale = kScale, .bias = kBias}};
  assert(kWeights.size() == 2 * kClassifierBuckets);
  for (size_t i = 0; i + 1 < kWeights.size(); i += 2) {{
    const int byte = 16 * Digit(kWeights[i]) + Digit(kWeights[i + 1]);
    model.weights.push_back(static_cast<int8_t>(byte));
  }}
  return model;
}}

}}  // namespace

const InjectionClassifier& TheInjectionClassifier() {{
  static const InjectionClassifier model = MakeModel();
  return model;
}}

}}  // namespace emptor::catalog
""")


def main():
    torch.manual_seed(1)
    rows, labels = examples(random.Random(7))
    print(f"{len(rows)} examples")
    write(*train(rows, labels))


if __name__ == "__main__":
    main()
