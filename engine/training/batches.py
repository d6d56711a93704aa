"""Packs generated examples into fixed-size token matrices.

The passage lines of an example are stored once and its questions follow. Each question sees the lines and itself
but no other question, and its positions continue those of the lines: every question is trained exactly as if it
stood alone in the prompt, at a fraction of the cost.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import torch
from tokenizers import Tokenizer

from generator import Generator, answer_text, prefix_text, question_text

SHORT_SHAPE = (5, 384)
LONG_SHAPE = (2, 1024)
_LONG_PREFIX = 280
_SELECTED_SHARE = 0.38
_QUESTION_WEIGHT = 0.1
_PASSAGE_WEIGHT = 0.03


@dataclass
class Segment:
    """Tokens of one example: a prefix and questions with answers."""

    prefix: list[int]
    turns: list[tuple[list[int], list[int]]]

    def fit(self, space: int) -> "Segment | None":
        """This example with as many turns as fit, or nothing."""
        used, kept = len(self.prefix), []
        for question, answer in self.turns:
            if used + len(question) + len(answer) <= space:
                used += len(question) + len(answer)
                kept.append((question, answer))
        return Segment(self.prefix, kept) if kept else None

    def __len__(self) -> int:
        return len(self.prefix) + sum(len(q) + len(a) for q, a in self.turns)


@dataclass
class Batch:
    """Tensors of one micro-batch; `selected` are the flattened positions that meet the head."""

    tokens: torch.Tensor
    positions: torch.Tensor
    mask: torch.Tensor
    selected: torch.Tensor
    targets: torch.Tensor
    weights: torch.Tensor
    turn_ids: torch.Tensor

    def arguments(self) -> tuple[torch.Tensor, ...]:
        return self.tokens, self.positions, self.mask, self.selected, self.targets, self.weights


def encode_example(tokenizer: Tokenizer, example) -> Segment:
    texts = [prefix_text(example.lines)]
    for turn in example.turns:
        texts += [question_text(turn.question), answer_text(turn.answer)]
    ids = [encoding.ids for encoding in tokenizer.encode_batch(texts)]
    return Segment(ids[0], list(zip(ids[1::2], ids[2::2])))


def batches(tokenizer: Tokenizer, generator: Generator, seed: int) -> Iterator[Batch]:
    """Micro-batches without end, short and long ones in the mix that the generator gives."""
    rng = random.Random(seed)
    waiting: dict[tuple[int, int], list[list[Segment]]] = {SHORT_SHAPE: [], LONG_SHAPE: []}
    open_rows: dict[tuple[int, int], list[Segment]] = {SHORT_SHAPE: [], LONG_SHAPE: []}
    while True:
        segment = encode_example(tokenizer, generator.example())
        shape = SHORT_SHAPE if len(segment.prefix) <= _LONG_PREFIX else LONG_SHAPE
        space = shape[1] - sum(len(s) for s in open_rows[shape])
        fitted = segment.fit(space)
        if fitted and (len(fitted.turns) >= 2 or not open_rows[shape]):
            open_rows[shape].append(fitted)
            continue
        if open_rows[shape]:
            waiting[shape].append(open_rows[shape])
        fresh = segment.fit(shape[1])
        open_rows[shape] = [fresh] if fresh else []
        if len(waiting[shape]) == shape[0]:
            yield make_batch(waiting[shape], shape, rng)
            waiting[shape] = []


def make_batch(rows: list[list[Segment]], shape: tuple[int, int], rng: random.Random) -> Batch:
    count, length = shape
    tokens = np.zeros(shape, np.int64)
    positions = np.zeros(shape, np.int64)
    documents = np.full(shape, -1, np.int64)
    turns = np.zeros(shape, np.int64)
    weights = np.zeros(shape, np.float32)
    for row, segments in enumerate(rows):
        at = 0
        for number, segment in enumerate(segments):
            at = _place(segment, number, row, at, (tokens, positions, documents, turns, weights))
    targets = np.zeros(shape, np.int64)
    targets[:, :-1] = tokens[:, 1:]
    shifted = np.zeros(shape, np.float32)
    same = (turns[:, 1:] == turns[:, :-1]) & (documents[:, 1:] == documents[:, :-1])
    shifted[:, :-1] = weights[:, 1:] * same
    selected = _select(shifted.reshape(-1), int(count * length * _SELECTED_SHARE), rng)
    tensor = torch.from_numpy
    return Batch(
        tensor(tokens),
        tensor(positions),
        tensor(_mask(documents, turns)),
        tensor(selected),
        tensor(targets.reshape(-1)[selected]),
        tensor(shifted.reshape(-1)[selected]),
        tensor((turns + 100 * documents + 10000 * np.arange(count)[:, None]).reshape(-1)[selected]),
    )


def _place(segment: Segment, number: int, row: int, at: int, arrays) -> int:
    """Writes one example into a row; returns the first free place."""
    tokens, positions, documents, turns, weights = arrays

    def write(ids: list[int], position: int, turn: int, weight: float) -> None:
        nonlocal at
        here = slice(at, at + len(ids))
        tokens[row, here] = ids
        positions[row, here] = range(position, position + len(ids))
        documents[row, here] = number
        turns[row, here] = turn
        weights[row, here] = weight
        at += len(ids)

    write(segment.prefix, 0, 0, _PASSAGE_WEIGHT)
    for turn, (question, answer) in enumerate(segment.turns, start=1):
        write(question, len(segment.prefix), turn, _QUESTION_WEIGHT)
        write(answer, len(segment.prefix) + len(question), turn, 1.0)
    return at


def _mask(documents: np.ndarray, turns: np.ndarray) -> np.ndarray:
    """Additive attention mask (rows, 1, length, length)."""
    length = documents.shape[1]
    same_document = documents[:, :, None] == documents[:, None, :]
    same_turn = (turns[:, None, :] == 0) | (turns[:, :, None] == turns[:, None, :])
    allowed = same_document & same_turn & np.tri(length, dtype=bool)
    return np.where(allowed, np.float32(0), np.float32(-1e9))[:, None]


def _select(weights: np.ndarray, count: int, rng: random.Random) -> np.ndarray:
    """Positions for the head: all answers, and a random part of the rest at its full expected weight."""
    answers = np.flatnonzero(weights == 1.0)
    others = np.flatnonzero((weights > 0) & (weights < 1.0))
    generator = np.random.default_rng(rng.getrandbits(32))
    if len(answers) >= count:
        return np.sort(generator.choice(answers, count, replace=False))
    extra = min(count - len(answers), len(others))
    chosen = np.concatenate([answers, generator.choice(others, extra, replace=False)])
    padding = np.flatnonzero(weights == 0)[: count - len(chosen)]
    return np.sort(np.concatenate([chosen, padding]))
