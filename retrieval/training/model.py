"""The static model: token vectors, learned token weights, weighted mean, unit length."""
import random

import numpy as np
import torch
import torch.nn.functional as F

from pair_batches import batches, false_negatives, pack


class StaticEmbedder(torch.nn.Module):
    def __init__(self, vocabulary, dimensions):
        super().__init__()
        self.vectors = torch.nn.Parameter(initial_vectors(vocabulary, dimensions))
        self.log_weights = torch.nn.Parameter(torch.zeros(len(vocabulary)))

    def forward(self, batch):
        """`batch`: (ids of all texts, start of each text). The division by the sum of weights falls
        out in the normalisation."""
        ids, offsets = batch
        weights = torch.exp(self.log_weights[ids])
        total = F.embedding_bag(ids, self.vectors, offsets, mode="sum", per_sample_weights=weights)
        return F.normalize(total, dim=-1)


def initial_vectors(vocabulary, dimensions):
    """Random unit vectors; a word with and without its leading space starts from the same one."""
    rows, seen = torch.empty(len(vocabulary), dimensions), {}
    for index, token in enumerate(vocabulary):
        key = token.lstrip("\u0120") or token
        if key not in seen:
            seen[key] = F.normalize(torch.randn(dimensions), dim=0)
        rows[index] = seen[key]
    return rows


def train(model, pairs, queries, passages, steps, seed, batch_size=512, peak_rate=4e-3, tau=0.05):
    """In-batch InfoNCE in both directions."""
    optimizer = torch.optim.Adam(model.parameters(), lr=peak_rate, fused=True)
    stream, running = batches(pairs, batch_size, random.Random(seed)), None
    for step in range(steps):
        rate = peak_rate * min(1, (step + 1) / 200) * max(0.02, 1 - step / steps)
        for group in optimizer.param_groups:
            group["lr"] = rate
        chosen = next(stream)
        both = model(pack([queries[i] for i in chosen] + [passages[i] for i in chosen]))
        similarity = both[:len(chosen)] @ both[len(chosen):].T / tau
        hidden = false_negatives([pairs[i] for i in chosen])
        if hidden:
            rows, columns = zip(*hidden)
            similarity = similarity.index_put((torch.tensor(rows), torch.tensor(columns)), torch.tensor(-1e4))
        target = torch.arange(len(chosen))
        loss = F.cross_entropy(similarity, target) + F.cross_entropy(similarity.T, target)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
        running = loss.item() if running is None else 0.99 * running + 0.01 * loss.item()
        if step % 500 == 0 or step == steps - 1:
            print(f"step {step} loss {running:.3f}", flush=True)
    return running


def finish(model, seen):
    """(vectors, weights) as float32: unit vectors, the length moved into the weight.

    A token that training never saw keeps its random direction and gets the weight of a rare word
    (upper quartile), so that unknown names still match themselves.
    """
    with torch.no_grad():
        length = model.vectors.norm(dim=1)
        weights = (torch.exp(model.log_weights) * length).numpy().copy()
        vectors = F.normalize(model.vectors, dim=1).numpy().copy()
    unseen = ~seen
    weights[unseen] = np.quantile(weights[seen], 0.75)
    return vectors, weights / weights[seen].mean()
