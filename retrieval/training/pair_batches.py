"""Batches of (query, passage) pairs, for the trainings of both embedders."""
import numpy as np
import torch


def pack(sequences):
    """(ids of all texts, start of each text)"""
    offsets = np.cumsum([0] + [len(s) for s in sequences[:-1]])
    return torch.tensor([i for s in sequences for i in s]), torch.tensor(offsets)


def false_negatives(pairs):
    """(i, j), i != j, where passage j also answers query i."""
    stating = {}
    for j, pair in enumerate(pairs):
        for fact in pair.facts:
            stating.setdefault(fact, []).append(j)
    found = []
    for i, pair in enumerate(pairs):
        rarest = min(pair.need, key=lambda f: len(stating.get(f, ())))
        found += [(i, j) for j in stating.get(rarest, ()) if j != i and pair.need <= pairs[j].facts]
    return found


def batches(pairs, size, rng):
    """Endless batches; every other one takes few departments, so that its negatives are near."""
    by_group = {}
    for index, pair in enumerate(pairs):
        by_group.setdefault(pair.group, []).append(index)
    groups = sorted(by_group)
    while True:
        yield rng.sample(range(len(pairs)), size)
        near = [i for group in rng.sample(groups, 4) for i in rng.choices(by_group[group], k=size // 4)]
        yield list(dict.fromkeys(near))
