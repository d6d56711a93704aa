"""Writes the embedder as GGUF, and reads it back the way a C++ reader does."""
import json

import gguf
import numpy as np

import static_file


def write(path, tokenizer, vectors, weights, name):
    """Vectors as Q8_0, weights as F32, the tokenizer as GPT-2 style BPE."""
    model = json.loads(tokenizer.to_str())["model"]
    tokens = sorted(model["vocab"], key=model["vocab"].get)
    merges = [m if isinstance(m, str) else " ".join(m) for m in model["merges"]]
    writer = static_file.begin(path, vectors, name, "nfkc_casefold")
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("gpt-2")
    writer.add_token_list(tokens)
    writer.add_token_types([gguf.TokenType.NORMAL] * len(tokens))
    writer.add_token_merges(merges)
    writer.add_add_space_prefix(False)
    static_file.finish(writer, vectors, weights)


def tokenizer_json(path):
    """The tokenizer of a written file in the form of the `tokenizers` library."""
    fields = gguf.GGUFReader(str(path)).fields
    tokens = fields["tokenizer.ggml.tokens"].contents()
    merges = [m.split(" ") for m in fields["tokenizer.ggml.merges"].contents()]
    level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True}
    return json.dumps({"version": "1.0", "added_tokens": [], "pre_tokenizer": level, "decoder": level,
                       "model": {"type": "BPE", "vocab": {t: i for i, t in enumerate(tokens)}, "merges": merges}})


class Reader:
    """Dequantised vectors and weights of a written file."""

    def __init__(self, path):
        self.vectors, self.weights = static_file.read(gguf.GGUFReader(str(path)))

    def embed(self, ids):
        """normalise(sum w[t] E[t] / sum w[t]); no tokens give the zero vector."""
        if not ids:
            return np.zeros(self.vectors.shape[1], dtype=np.float32)
        w = self.weights[ids]
        mean = (w[:, None] * self.vectors[ids]).sum(axis=0) / w.sum()
        return mean / np.linalg.norm(mean)

    def embed_all(self, sequences):
        return np.stack([self.embed(s) for s in sequences])
