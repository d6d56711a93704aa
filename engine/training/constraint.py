"""Allows only references that the prompt can fill, as the engine's reference-constrained decoding does."""

import re

import torch
from tokenizers import Tokenizer

from tokenizer import reference_tokens

_LINE = re.compile(r"^\[(\d|q|best):([^\]]+)\]", re.MULTILINE)
_NEVER_WRITTEN = ("about", "question")


class ReferenceConstraint:
    """Masks logits: existing sources and fields only, and after `[n:attr.` only keys of that source."""

    def __init__(self, tokenizer: Tokenizer, lines: str):
        self._ids = {token: tokenizer.token_to_id(token) for token in reference_tokens()}
        self._keys: dict[int, list[list[int]]] = {}
        allowed = set()
        for source, name in _LINE.findall(lines):
            allowed |= {f"[{source}]", f"[{source}:link]"} if name == "title" else {f"[{source}]"}
            if name.startswith("attr."):
                head = f"[{source}:attr."
                allowed.add(head)
                key = tokenizer.encode(name.removeprefix("attr.") + "]").ids
                self._keys.setdefault(self._ids[head], []).append(key)
            elif name not in _NEVER_WRITTEN and source != "best":
                allowed.add(f"[{source}:{name}]")
        self._forbidden = [i for token, i in self._ids.items() if token not in allowed]
        self._open: list[list[int]] = []

    def mask(self, logits: torch.Tensor) -> torch.Tensor:
        if self._open:
            kept = torch.full_like(logits, float("-inf"))
            choices = sorted({key[0] for key in self._open})
            kept[choices] = logits[choices]
            return kept
        logits = logits.clone()
        logits[self._forbidden] = float("-inf")
        return logits

    def accept(self, token: int) -> None:
        if self._open:
            self._open = [key[1:] for key in self._open if key[0] == token]
            self._open = [] if any(not key for key in self._open) else self._open
        else:
            self._open = self._keys.get(token, [])
