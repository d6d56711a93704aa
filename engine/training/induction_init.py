"""Writes an induction head into fresh weights, so that the model can look things up from the first step.

Layer 0: one key head has a constant key; its query heads are turned so that rotary position makes each look a
fixed number of tokens back, and its output writes that token into the residual stream. Layer 1: keys read the
previous token, queries the current one, on slowly turning pairs only; what is found is added to the stream.
Everything else starts silent. These are ordinary weights; train.py holds them back until the rest relies on them.
"""

import math

import torch

from model import LanguageModel, rope_frequencies

_EMBEDDING_STD = 0.7
_FINAL_GAIN = 0.1  # keeps the first logits small although the tied embedding is large
_SHARPNESS = 8.0
_COPY_GAIN = 1.5
_ECHO_GAIN = 2.0
_MATCH_GAIN = 1.5


@torch.no_grad()
def write_induction_head(model: LanguageModel) -> None:
    model.embedding.normal_(0, _EMBEDDING_STD)
    model.embedding[:, 0] = 2 * _EMBEDDING_STD
    model.final_norm.fill_(_FINAL_GAIN)
    for block in model.blocks:
        block.attention_out.zero_()
        block.down.zero_()
    traces = _write_look_back(model)
    _write_match(model, traces)


def induction_parameters(model: LanguageModel) -> list[torch.nn.Parameter]:
    """The matrices that hold the head, and those between its two layers."""
    first, second = model.blocks[:2]
    return [first.qkv, first.attention_out, first.gate_up, first.down, second.qkv, second.attention_out]


def _frame(rows: int, columns: int) -> torch.Tensor:
    """A random matrix with orthonormal rows or columns, whichever are fewer."""
    tall = torch.linalg.qr(torch.randn(max(rows, columns), min(rows, columns)))[0]
    return tall if rows >= columns else tall.t()


def _write_look_back(model: LanguageModel) -> tuple[torch.Tensor, torch.Tensor]:
    """Layer 0. Returns how a token is read and how the previous token lies in the stream."""
    c, block = model.config, model.blocks[0]
    half, group = c.head_dim // 2, c.heads // c.kv_heads
    fast = [i for i, f in enumerate(rope_frequencies(c).tolist()) if f > 0.08]
    angles = rope_frequencies(c).tolist()
    contrast = sum(1 - math.cos(angles[i]) for i in fast)
    size = math.sqrt(_SHARPNESS * math.sqrt(c.head_dim) / (4 * contrast))
    key_row = c.heads * c.head_dim
    block.qkv[key_row : key_row + c.head_dim] *= 0.1
    for i in fast:
        block.qkv[key_row + i, 0] = size
    for head in range(group):
        start = head * c.head_dim
        block.qkv[start : start + c.head_dim] *= 0.1
        for i in fast:
            block.qkv[start + i, 0] = size * math.cos(angles[i] * (head + 1))
            block.qkv[start + half + i, 0] = -size * math.sin(angles[i] * (head + 1))
    read = _frame(c.head_dim, c.width)
    read[:, 0] = 0
    value_row = (c.heads + c.kv_heads) * c.head_dim
    block.qkv[value_row : value_row + c.head_dim] = read
    previous = None
    for head in range(group):
        write = _frame(c.width, c.head_dim)
        write[0] = 0
        block.attention_out[:, head * c.head_dim : (head + 1) * c.head_dim] = write * _COPY_GAIN * _EMBEDDING_STD
        previous = write if head == 0 else previous
    return read, previous


def _write_match(model: LanguageModel, traces: tuple[torch.Tensor, torch.Tensor]) -> None:
    """Layer 1: finds earlier places whose previous token is the current one and echoes what stands there."""
    read, previous = traces
    c, block = model.config, model.blocks[1]
    half, group = c.head_dim // 2, c.heads // c.kv_heads
    slow = [i for i, f in enumerate(rope_frequencies(c).tolist()) if f < 0.012]
    places = slow + [half + i for i in slow]
    for pair in range(c.kv_heads):
        key_row = (c.heads + pair) * c.head_dim
        value_row = (c.heads + c.kv_heads + pair) * c.head_dim
        block.qkv[key_row : key_row + c.head_dim] *= 0.1
        echo = _frame(c.head_dim, c.width)
        echo[:, 0] = 0
        block.qkv[value_row : value_row + c.head_dim] = echo
        for head in range(group):
            start = (pair * group + head) * c.head_dim
            block.qkv[start : start + c.head_dim] *= 0.1
            for k, place in enumerate(places):
                row = (pair * len(places) + k) % c.head_dim
                block.qkv[key_row + place] = previous[:, row] * _MATCH_GAIN
                block.qkv[start + place] = read[row] * _MATCH_GAIN
            columns = slice(start, start + c.head_dim)
            block.attention_out[:, columns] = echo.t() * _ECHO_GAIN * _EMBEDDING_STD
