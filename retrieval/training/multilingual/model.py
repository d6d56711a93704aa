"""The static model in training: token vectors whose sum, at unit length, is a text's vector."""
import random
import time

import numpy as np
import torch
import torch.nn.functional as F

from pair_batches import batches, false_negatives, pack

TAU = 0.05
SAME = 0.9    # texts whose targets are this near are not told apart


class StaticEmbedder:
    """One row for each token; its length is the token's weight."""

    def __init__(self, rows):
        self.rows = torch.nn.Parameter(torch.from_numpy(rows.copy()))

    def __call__(self, sequences):
        ids, offsets = pack(sequences)
        return F.normalize(F.embedding_bag(ids, self.rows, offsets, mode="sum", sparse=True), dim=-1)


def contrast(a, b, hidden):
    """InfoNCE in both directions; `hidden`: pairs that are not negatives."""
    similarity = (a @ b.T / TAU).masked_fill(hidden, -1e4)
    target = torch.arange(len(a))
    return (F.cross_entropy(similarity, target) + F.cross_entropy(similarity.T, target)) / 2


class TeacherTexts:
    """Texts of one kind with the vectors that they should have."""

    def __init__(self, sequences, targets, share):
        kept = [i for i, s in enumerate(sequences) if s]
        self.sequences, self.targets, self.share = [sequences[i] for i in kept], targets[kept], share


def teacher_loss(embedder, kinds, rng):
    """Nearness to the teacher, and nearer to the own target than to those of other texts."""
    sequences, targets = [], []
    for kind in kinds:
        chosen = rng.choice(len(kind.sequences), kind.share)
        sequences += [kind.sequences[i] for i in chosen]
        targets.append(kind.targets[chosen])
    target = torch.from_numpy(np.concatenate(targets))
    found = embedder(sequences)
    hidden = (target @ target.T > SAME).fill_diagonal_(False)
    similarity = (found @ target.T / TAU).masked_fill(hidden, -1e4)
    return (1 - (found * target).sum(1)).mean(), F.cross_entropy(similarity, torch.arange(len(sequences)))


class PairBatches:
    """Queries and passages of the generator."""

    def __init__(self, pairs, queries, passages, seed):
        self.pairs, self.queries, self.passages = pairs, queries, passages
        self.stream = batches(pairs, 384, random.Random(seed))

    def loss(self, embedder):
        chosen = next(self.stream)
        hidden = torch.zeros(len(chosen), len(chosen), dtype=torch.bool)
        for i, j in false_negatives([self.pairs[k] for k in chosen]):
            hidden[i, j] = True
        both = embedder([self.queries[k] for k in chosen] + [self.passages[k] for k in chosen])
        return contrast(both[:len(chosen)], both[len(chosen):], hidden)


class Translations:
    """Texts that mean the same in two languages; `group` numbers the English one."""

    def __init__(self, left, right, group, seed):
        self.left, self.right, self.group = left, right, np.array(group)
        self.rng = np.random.RandomState(seed)

    def loss(self, embedder):
        chosen = self.rng.choice(len(self.left), 128)
        group = torch.from_numpy(self.group[chosen])
        both = embedder([self.left[k] for k in chosen] + [self.right[k] for k in chosen])
        hidden = (group[:, None] == group[None, :]).fill_diagonal_(False)
        return contrast(both[:len(chosen)], both[len(chosen):], hidden)


class WordPools:
    """Passages and queries out of one small pool of words each time: only the words themselves tell them apart."""

    def __init__(self, vocabulary, english, pairs, passages, seed):
        ids = vocabulary.ids
        self.english = [ids["\u2581" + w] for w in sorted(english) if "\u2581" + w in ids and len(w) > 2]
        self.numbers = [i for p, i in ids.items() if p[1:].replace(".", "").isdigit() and p[0] == "\u2581"]
        by_group = {}
        for pair, tokens in zip(pairs, passages):
            by_group.setdefault(pair.group, set()).update(tokens)
        self.groups = [sorted(by_group[g]) for g in sorted(by_group)]
        self.rng = np.random.RandomState(seed)

    def loss(self, embedder, size=192):
        rng = self.rng
        near = self.groups[rng.randint(len(self.groups))]
        pool = np.array(sorted({*rng.choice(self.english, 50), *rng.choice(near, min(50, len(near))), *rng.choice(self.numbers, 12)}))
        passages = [rng.choice(pool, rng.randint(5, 14), replace=False).tolist() for _ in range(size)]
        queries = [rng.choice(p, rng.randint(1, 5), replace=False).tolist() for p in passages]
        asked, stated = [set(q) for q in queries], [set(p) for p in passages]
        hidden = torch.tensor([[i != j and asked[i] <= stated[j] for j in range(size)] for i in range(size)])
        both = embedder(queries + passages)
        similarity = (both[:size] @ both[size:].T / TAU).masked_fill(hidden, -1e4)
        return F.cross_entropy(similarity, torch.arange(size))


def train(embedder, kinds, contrasts, steps, seed, work, peak_rate=4e-3, share=0.2):
    """Adam on the rows that a step reads. `share`: of every loss but the nearness to the teacher."""
    optimizer = torch.optim.SparseAdam([embedder.rows], lr=peak_rate)
    rng, running, started = np.random.RandomState(seed), None, time.process_time()
    for step in range(steps):
        for group in optimizer.param_groups:
            group["lr"] = peak_rate * min(1, (step + 1) / 100) * max(0.03, 1 - step / steps)
        near, told = teacher_loss(embedder, kinds, rng)
        other = [each.loss(embedder) for each in contrasts]
        loss = near + share * (told + sum(other))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        parts = np.array([near.item(), told.item(), *(x.item() for x in other)])
        running = parts if running is None else 0.98 * running + 0.02 * parts
        if step % 250 == 0 or step == steps - 1:
            print(f"step {step} losses {np.round(running, 3)} {time.process_time() - started:.0f} s", flush=True)
            np.save(work / "rows.npy", embedder.rows.detach().numpy())


def finish(embedder):
    """(vectors of length 1, weights)"""
    rows = embedder.rows.detach().numpy()
    weights = np.linalg.norm(rows, axis=1)
    return rows / np.maximum(weights, 1e-9)[:, None], weights
