"""Makes tokens of one word similar from the start: with and without leading blank, capital or not.

A passage line says `[1:attr.capacity]`, the shopper writes ` capacity` or `Capacity`: three tokens. If their
embeddings are alike, the induction head matches them for any word, also one that training never showed.
"""

import math
from collections import defaultdict

import torch

_SIMILARITY = 0.5
_BLANK = "\u0120"  # how the byte-level alphabet writes a leading blank


def spelling_groups(tokens: list[str]) -> list[list[int]]:
    """Ids of tokens that differ in leading blank and case only."""
    groups: dict[str, list[int]] = defaultdict(list)
    for number, token in enumerate(tokens):
        word = token.removeprefix(_BLANK).lower()
        if word.isalnum() and word.isascii():
            groups[word].append(number)
    return [ids for ids in groups.values() if len(ids) > 1]


@torch.no_grad()
def share_spellings(embedding: torch.Tensor, tokens: list[str]) -> None:
    """Moves the vectors of each group towards their mean so that unrelated ones get the wanted cosine."""
    for ids in spelling_groups(tokens):
        own = embedding[ids]
        mean = own.mean(0, keepdim=True)
        towards = math.sqrt(_SIMILARITY * len(ids) + 1 - _SIMILARITY)
        mixed = mean * towards + (own - mean) * math.sqrt(1 - _SIMILARITY)
        mixed[:, 0] = own[:, 0]  # the constant of the induction head
        embedding[ids] = mixed
