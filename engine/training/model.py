"""The language model: a small Llama-type transformer, trained in bf16 with fp32 master weights."""

import math
from dataclasses import asdict, dataclass

import torch
import torch.nn.functional as F
from torch import nn


QUERY_BLOCK = 128


@dataclass(frozen=True)
class ModelConfig:
    """Shape of the model; every dimension is a multiple of 32, as block quantisation needs."""

    vocab_size: int = 4096
    width: int = 256
    layers: int = 6
    heads: int = 4
    kv_heads: int = 2
    feed_forward: int = 512
    context: int = 1024
    rope_theta: float = 10000.0
    norm_epsilon: float = 1e-5

    @property
    def head_dim(self) -> int:
        return self.width // self.heads

    def to_dict(self) -> dict:
        return asdict(self)


def rope_frequencies(config: ModelConfig) -> torch.Tensor:
    """Angle per position of each rotated pair, fastest first."""
    pairs = torch.arange(0, config.head_dim, 2).float() / config.head_dim
    return config.rope_theta**-pairs


def rms_norm(x: torch.Tensor, gain: torch.Tensor, epsilon: float) -> torch.Tensor:
    """RMS normalisation, computed in fp32, result in the type of x."""
    wide = x.float()
    scale = torch.rsqrt(wide.pow(2).mean(-1, keepdim=True) + epsilon)
    return (wide * scale * gain).to(x.dtype)


def rotate(x: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor) -> torch.Tensor:
    """Rotates pairs (i, i + half). The export permutes rows to the adjacent pairs of llama.cpp."""
    first, second = x.float().chunk(2, dim=-1)
    turned = torch.cat([first * cos - second * sin, second * cos + first * sin], dim=-1)
    return turned.to(x.dtype)


class Block(nn.Module):
    """One pre-norm layer: grouped-query attention, then SwiGLU."""

    def __init__(self, config: ModelConfig):
        super().__init__()
        self.config = config
        width, head_dim = config.width, config.head_dim
        qkv_rows = (config.heads + 2 * config.kv_heads) * head_dim
        std_in, std_out = width**-0.5, width**-0.5 / math.sqrt(2 * config.layers)
        self.qkv = nn.Parameter(torch.randn(qkv_rows, width) * std_in)
        self.attention_out = nn.Parameter(torch.randn(width, width) * std_out)
        self.gate_up = nn.Parameter(torch.randn(2 * config.feed_forward, width) * std_in)
        self.down = nn.Parameter(torch.randn(width, config.feed_forward) * std_out)
        self.attention_norm = nn.Parameter(torch.ones(width))
        self.feed_forward_norm = nn.Parameter(torch.ones(width))

    def forward(self, x, cos, sin, mask):
        c = self.config
        batch, length, _ = x.shape
        h = rms_norm(x, self.attention_norm, c.norm_epsilon)
        qkv = F.linear(h, self.qkv.to(x.dtype)).view(batch, length, -1, c.head_dim)
        q, k, v = qkv.split([c.heads, c.kv_heads, c.kv_heads], dim=2)
        q, k = rotate(q, cos, sin).transpose(1, 2), rotate(k, cos, sin).transpose(1, 2)
        y = grouped_attention(q, k, v.transpose(1, 2), mask)
        y = y.transpose(1, 2).reshape(batch, length, c.width)
        x = x + F.linear(y, self.attention_out.to(x.dtype))
        h = rms_norm(x, self.feed_forward_norm, c.norm_epsilon)
        gate, up = F.linear(h, self.gate_up.to(x.dtype)).chunk(2, dim=-1)
        return x + F.linear(F.silu(gate) * up, self.down.to(x.dtype))


def grouped_attention(q, k, v, mask):
    """Attention of grouped query heads, the heads of a group folded into the rows of one product.

    The additive mask is (batch, 1, length, length) and causal, so each block of queries only meets the keys up to
    its own end. Written out, as the fused CPU kernel is slower here.
    """
    batch, heads, length, head_dim = q.shape
    kv_heads = k.shape[1]
    q = (q * head_dim**-0.5).reshape(batch, kv_heads, heads // kv_heads, length, head_dim)
    blocks = []
    for start in range(0, length, QUERY_BLOCK):
        end = min(start + QUERY_BLOCK, length)
        rows = q[:, :, :, start:end].reshape(batch, kv_heads, -1, head_dim)
        scores = (rows @ k[:, :, :end].transpose(-1, -2)).view(batch, heads, end - start, end)
        shares = torch.softmax(scores + mask[:, :, start:end, :end], dim=-1).view(batch, kv_heads, -1, end)
        blocks.append((shares @ v[:, :, :end]).view(batch, heads, end - start, head_dim))
    return torch.cat(blocks, dim=2)


class LanguageModel(nn.Module):
    """Embedding, blocks, final norm; the output matrix is the embedding."""

    def __init__(self, config: ModelConfig):
        super().__init__()
        self.config = config
        self.embedding = nn.Parameter(torch.randn(config.vocab_size, config.width) * 0.04)
        self.blocks = nn.ModuleList(Block(config) for _ in range(config.layers))
        self.final_norm = nn.Parameter(torch.ones(config.width))
        angles = torch.arange(config.context).float()[:, None] * rope_frequencies(config)
        self.register_buffer("cos", angles.cos(), persistent=False)
        self.register_buffer("sin", angles.sin(), persistent=False)

    def hidden(self, tokens, positions, mask, dtype=torch.bfloat16):
        """Final hidden states of a (batch, length) token matrix."""
        x = F.embedding(tokens, self.embedding).to(dtype)
        cos, sin = self.cos[positions][:, :, None, :], self.sin[positions][:, :, None, :]
        mask = mask.to(dtype)
        for block in self.blocks:
            x = block(x, cos, sin, mask)
        return rms_norm(x, self.final_norm, self.config.norm_epsilon)

    def loss(self, tokens, positions, mask, selected, targets, weights):
        """Weighted cross entropy, summed; only the selected (flattened) positions meet the head."""
        h = self.hidden(tokens, positions, mask).reshape(-1, self.config.width)
        logits = F.linear(h.index_select(0, selected), self.embedding.to(h.dtype)).float()
        return (F.cross_entropy(logits, targets, reduction="none") * weights).sum()
