"""Takes a GGUF that export_gguf.py wrote as the starting point of more training: its tokenizer and its weights."""

from pathlib import Path

import numpy as np
import torch

from gguf_model import GgufModel
from model import LanguageModel


def half_pairs(matrix: np.ndarray, heads: int) -> np.ndarray:
    """Undoes export_gguf.adjacent_pairs: rows from rotation of (2i, 2i + 1) to rotation of (i, i + half)."""
    rows, columns = matrix.shape
    return matrix.reshape(heads, rows // heads // 2, 2, columns).swapaxes(1, 2).reshape(rows, columns)


def write_tokenizer(path: Path, output: Path) -> None:
    """The tokenizer that lies in the GGUF, in the form that train.py keeps in its work folder."""
    GgufModel(path).tokenizer.save(str(output))


@torch.no_grad()
def load_weights(path: Path, model: LanguageModel) -> None:
    """Copies the weights into a model of the same shape; ValueError names the first tensor that does not fit."""
    source, c = GgufModel(path).weights, model.config
    target = {"embedding": source["token_embd.weight"], "final_norm": source["output_norm.weight"]}
    for n in range(c.layers):
        get = lambda name: source[f"blk.{n}.{name}.weight"]  # noqa: B023, E731
        q = torch.from_numpy(half_pairs(get("attn_q").numpy(), c.heads))
        k = torch.from_numpy(half_pairs(get("attn_k").numpy(), c.kv_heads))
        target[f"blocks.{n}.qkv"] = torch.cat([q, k, get("attn_v")])
        target[f"blocks.{n}.attention_out"] = get("attn_output")
        target[f"blocks.{n}.gate_up"] = torch.cat([get("ffn_gate"), get("ffn_up")])
        target[f"blocks.{n}.down"] = get("ffn_down")
        target[f"blocks.{n}.attention_norm"] = get("attn_norm")
        target[f"blocks.{n}.feed_forward_norm"] = get("ffn_norm")
    for name, parameter in model.named_parameters():
        if target[name].shape != parameter.shape:
            raise ValueError(f"{path}: {name} is {tuple(target[name].shape)}, expected {tuple(parameter.shape)}")
        parameter.copy_(target[name])
