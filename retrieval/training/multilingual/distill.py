"""First vectors of the tokens, and the texts that correct them, in the space of the English teacher."""
import numpy as np

DIMENSIONS = 256
RIDGE = 3.0
FREQUENT = 2e-5     # a piece of this probability weighs half as much as a rare one


def unit(x):
    return x / np.maximum(np.linalg.norm(x, axis=-1, keepdims=True), 1e-9)


def ridge(a, b):
    return np.linalg.solve(a.T @ a + RIDGE * np.eye(a.shape[1]), a.T @ b)


def projection(vectors):
    """The DIMENSIONS directions that keep most of the teacher's cosines; the mean stays in."""
    return np.linalg.svd(vectors, full_matrices=False)[2][:DIMENSIONS].T.astype(np.float32)


class Translation:
    """From e5's space into the English teacher's, learned on English words."""

    def __init__(self, source, target):
        self.mean = source.mean(axis=0)
        self.matrix = ridge(self.prepare(source), target)

    def prepare(self, source):
        centred = unit(source - self.mean)
        return np.hstack([centred, np.ones((len(centred), 1), np.float32)])

    def apply(self, source):
        return unit(self.prepare(source) @ self.matrix)


def token_weights(scores):
    """Rare tokens weigh more (SIF)."""
    return (FREQUENT / (FREQUENT + np.exp(scores))).astype(np.float32)
