"""Runs a GGUF file of this project in fp32, from the file alone: the honest way to evaluate what ships."""

from pathlib import Path

import gguf
import numpy as np
import torch
import torch.nn.functional as F
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers


class GgufModel:
    """Greedy decoding with a key-value cache. Dequantises Q8_0 and rotates adjacent pairs, as llama.cpp does."""

    def __init__(self, path: Path):
        reader = gguf.GGUFReader(str(path))
        self._fields = reader.fields
        dequantise = gguf.quants.dequantize
        self.weights = {
            t.name: torch.from_numpy(np.array(dequantise(t.data, t.tensor_type), dtype=np.float32))
            for t in reader.tensors
        }
        self.layers = self._number("llama.block_count")
        self.heads = self._number("llama.attention.head_count")
        self.kv_heads = self._number("llama.attention.head_count_kv")
        self.head_dim = self._number("llama.rope.dimension_count")
        self.epsilon = self._number("llama.attention.layer_norm_rms_epsilon")
        context, base = self._number("llama.context_length"), self._number("llama.rope.freq_base")
        frequencies = base ** -(torch.arange(0, self.head_dim, 2).float() / self.head_dim)
        angles = torch.arange(context).float()[:, None] * frequencies
        self.cos, self.sin = angles.cos(), angles.sin()
        self.end = self._number("tokenizer.ggml.eos_token_id")
        self.tokenizer = self._tokenizer()

    def _number(self, name: str):
        return self._fields[name].parts[-1][0].item()

    def _strings(self, name: str) -> list[str]:
        field = self._fields[name]
        return [bytes(field.parts[i]).decode("utf-8") for i in field.data]

    def _tokenizer(self) -> Tokenizer:
        tokens, merges = self._strings("tokenizer.ggml.tokens"), self._strings("tokenizer.ggml.merges")
        types = self._fields["tokenizer.ggml.token_type"]
        kinds = [types.parts[i][0].item() for i in types.data]
        vocabulary = {token: i for i, token in enumerate(tokens)}
        tokenizer = Tokenizer(models.BPE(vocabulary, [tuple(m.split(" ")) for m in merges]))
        tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True)
        tokenizer.decoder = decoders.ByteLevel()
        marked = [t for t, kind in zip(tokens, kinds) if kind in (gguf.TokenType.CONTROL, gguf.TokenType.USER_DEFINED)]
        tokenizer.add_special_tokens([AddedToken(t, normalized=False, special=True) for t in marked])
        return tokenizer

    @torch.no_grad()
    def logits(self, tokens: list[int], cache: list | None = None) -> torch.Tensor:
        """Logits after the last token; `cache` (a list, empty at first) carries earlier tokens."""
        cache = [] if cache is None else cache
        start = cache[0][0].shape[1] if cache else 0
        x = self.weights["token_embd.weight"][torch.tensor(tokens)]
        for layer in range(self.layers):
            x = x + self._attention(layer, x, start, cache)
            h = self._norm(x, f"blk.{layer}.ffn_norm")
            gate, up = self._linear(h, f"blk.{layer}.ffn_gate"), self._linear(h, f"blk.{layer}.ffn_up")
            x = x + self._linear(F.silu(gate) * up, f"blk.{layer}.ffn_down")
        return self._norm(x[-1:], "output_norm")[0] @ self.weights["token_embd.weight"].t()

    def _norm(self, x: torch.Tensor, name: str) -> torch.Tensor:
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + self.epsilon) * self.weights[f"{name}.weight"]

    def _linear(self, x: torch.Tensor, name: str) -> torch.Tensor:
        return F.linear(x, self.weights[f"{name}.weight"])

    def _rotate(self, x: torch.Tensor, start: int) -> torch.Tensor:
        cos, sin = self.cos[start : start + x.shape[1]], self.sin[start : start + x.shape[1]]
        even, odd = x[..., 0::2], x[..., 1::2]
        return torch.stack([even * cos - odd * sin, odd * cos + even * sin], dim=-1).flatten(-2)

    def _attention(self, layer: int, x: torch.Tensor, start: int, cache: list) -> torch.Tensor:
        count = x.shape[0]
        h = self._norm(x, f"blk.{layer}.attn_norm")
        heads = [(n, self.kv_heads) for n in ("attn_k", "attn_v")]
        q, k, v = (
            self._linear(h, f"blk.{layer}.{name}").view(count, n, self.head_dim).transpose(0, 1)
            for name, n in [("attn_q", self.heads), *heads]
        )
        q, k = self._rotate(q, start), self._rotate(k, start)
        if layer < len(cache):
            k, v = torch.cat([cache[layer][0], k], 1), torch.cat([cache[layer][1], v], 1)
            cache[layer] = (k, v)
        else:
            cache.append((k, v))
        group = self.heads // self.kv_heads
        scores = q @ k.repeat_interleave(group, 0).transpose(1, 2) * self.head_dim**-0.5
        allowed = torch.ones(count, k.shape[1], dtype=torch.bool).tril(start)
        shares = torch.softmax(scores.masked_fill(~allowed, float("-inf")), -1)
        y = (shares @ v.repeat_interleave(group, 0)).transpose(0, 1).reshape(count, -1)
        return self._linear(y, f"blk.{layer}.attn_output")

    def answer(self, prompt: str, constraint=None, most_tokens: int = 120) -> str:
        """The greedy answer to a prompt; without a constraint anything may be written."""
        ids = self.tokenizer.encode(prompt).ids
        cache: list = []
        logits, written = self.logits(ids, cache), []
        while len(written) < most_tokens and len(ids) + len(written) < self.cos.shape[0]:
            token = int((constraint.mask(logits) if constraint else logits).argmax())
            if token == self.end:
                break
            if constraint:
                constraint.accept(token)
            written.append(token)
            logits = self.logits([token], cache)
        return self.tokenizer.decode(written, skip_special_tokens=False)
