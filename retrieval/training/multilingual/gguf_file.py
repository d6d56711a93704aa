"""Writes the embedder as GGUF, and reads it back the way a C++ reader does."""
import gguf
import numpy as np
from tokenizers import Tokenizer, models

import static_file
import words


def write(path, pieces, vectors, weights, name):
    """Vectors as Q8_0, weights as F32, and a Unigram tokenizer: (piece, log probability), the first unknown."""
    writer = static_file.begin(path, vectors, name, "nfkc_casefold_words")
    writer.add_tokenizer_model("t5")
    writer.add_token_list([piece for piece, _ in pieces])
    writer.add_token_scores([score for _, score in pieces])
    writer.add_token_types([gguf.TokenType.UNKNOWN] + [gguf.TokenType.NORMAL] * (len(pieces) - 1))
    writer.add_unk_token_id(0)
    writer.add_add_space_prefix(True)
    writer.add_remove_extra_whitespaces(True)
    static_file.finish(writer, vectors, weights)


class Reader:
    """The model of a written file, its vectors dequantised."""

    def __init__(self, path):
        file = gguf.GGUFReader(str(path))
        self.vectors, self.weights = static_file.read(file)
        tokens, scores = (file.fields[f"tokenizer.ggml.{k}"].contents() for k in ("tokens", "scores"))
        self.tokenizer = Tokenizer(models.Unigram(list(zip(tokens, scores)), 0))

    def ids(self, texts):
        return words.encode(self.tokenizer, texts)

    def embed_ids(self, ids):
        total = self.weights[ids] @ self.vectors[ids] if len(ids) else np.zeros(self.vectors.shape[1], np.float32)
        return total / max(float(np.linalg.norm(total)), 1e-12)

    def embed(self, texts):
        """One row for each text: of length 1, or zeros for a text without a known token."""
        return np.stack([self.embed_ids(ids) for ids in self.ids(texts)]).astype(np.float32)
