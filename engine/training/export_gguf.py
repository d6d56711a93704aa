"""Writes a checkpoint as GGUF: Q8_0 matrices to ship, or F32 ones for comparison with other implementations."""

import argparse
import json
import os
from pathlib import Path

import gguf
import numpy as np
import torch

from model import ModelConfig
from tokenizer import CONTROL_TOKENS, reference_tokens

_CHAT_TEMPLATE = (
    "{% for message in messages %}{{'<|im_start|>' + message['role'] + '\\n' + message['content'] + '<|im_end|>' "
    "+ '\\n'}}{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}"
)


def adjacent_pairs(matrix: np.ndarray, heads: int) -> np.ndarray:
    """Reorders rows from rotation of (i, i + half) to rotation of (2i, 2i + 1), as llama.cpp's llama does."""
    rows, columns = matrix.shape
    return matrix.reshape(heads, 2, rows // heads // 2, columns).swapaxes(1, 2).reshape(rows, columns)


def named_tensors(config: ModelConfig, weights: dict[str, torch.Tensor]) -> dict[str, np.ndarray]:
    """The weights under llama.cpp's names; no output matrix, it is tied to the embedding."""
    get = lambda name: weights[name].float().numpy()  # noqa: E731
    tensors = {"token_embd.weight": get("embedding"), "output_norm.weight": get("final_norm")}
    q_rows, kv_rows = config.heads * config.head_dim, config.kv_heads * config.head_dim
    for n in range(config.layers):
        source, target = f"blocks.{n}", f"blk.{n}"
        q, k, v = np.split(get(f"{source}.qkv"), [q_rows, q_rows + kv_rows])
        gate, up = np.split(get(f"{source}.gate_up"), 2)
        tensors[f"{target}.attn_norm.weight"] = get(f"{source}.attention_norm")
        tensors[f"{target}.attn_q.weight"] = adjacent_pairs(q, config.heads)
        tensors[f"{target}.attn_k.weight"] = adjacent_pairs(k, config.kv_heads)
        tensors[f"{target}.attn_v.weight"] = v
        tensors[f"{target}.attn_output.weight"] = get(f"{source}.attention_out")
        tensors[f"{target}.ffn_norm.weight"] = get(f"{source}.feed_forward_norm")
        tensors[f"{target}.ffn_gate.weight"] = gate
        tensors[f"{target}.ffn_up.weight"] = up
        tensors[f"{target}.ffn_down.weight"] = get(f"{source}.down")
    return tensors


def write_metadata(writer: gguf.GGUFWriter, config: ModelConfig, quantised: bool) -> None:
    writer.add_name("Emptor LM")
    writer.add_license("Apache-2.0")
    writer.add_bool("emptor.references", True)
    writer.add_array("emptor.languages", ["en"])
    writer.add_context_length(config.context)
    writer.add_embedding_length(config.width)
    writer.add_block_count(config.layers)
    writer.add_feed_forward_length(config.feed_forward)
    writer.add_head_count(config.heads)
    writer.add_head_count_kv(config.kv_heads)
    writer.add_layer_norm_rms_eps(config.norm_epsilon)
    writer.add_rope_dimension_count(config.head_dim)
    writer.add_rope_freq_base(config.rope_theta)
    writer.add_vocab_size(config.vocab_size)
    kind = gguf.LlamaFileType.MOSTLY_Q8_0 if quantised else gguf.LlamaFileType.ALL_F32
    writer.add_file_type(kind)


def write_vocabulary(writer: gguf.GGUFWriter, tokenizer_path: Path) -> None:
    description = json.loads(tokenizer_path.read_text(encoding="utf-8"))
    ids = dict(description["model"]["vocab"]) | {t["content"]: t["id"] for t in description["added_tokens"]}
    tokens = sorted(ids, key=ids.get)
    references = set(reference_tokens())
    kinds = {t: gguf.TokenType.CONTROL for t in CONTROL_TOKENS} | {t: gguf.TokenType.USER_DEFINED for t in references}
    merges = [m if isinstance(m, str) else " ".join(m) for m in description["model"]["merges"]]
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("gpt-2")
    writer.add_token_list(tokens)
    writer.add_token_types([kinds.get(t, gguf.TokenType.NORMAL) for t in tokens])
    writer.add_token_merges(merges)
    writer.add_bos_token_id(ids["<|im_start|>"])
    writer.add_eos_token_id(ids["<|im_end|>"])
    writer.add_eot_token_id(ids["<|im_end|>"])
    writer.add_pad_token_id(ids["<|pad|>"])
    writer.add_add_bos_token(False)
    writer.add_chat_template(_CHAT_TEMPLATE)


def export(config: ModelConfig, weights: dict, tokenizer_path: Path, output: Path, quantised: bool) -> None:
    """Writes beside the target and renames, so that a reader never sees half a file."""
    temporary = output.with_name(output.name + ".tmp")
    writer = gguf.GGUFWriter(str(temporary), "llama")
    write_metadata(writer, config, quantised)
    write_vocabulary(writer, tokenizer_path)
    for name, values in named_tensors(config, weights).items():
        values = np.ascontiguousarray(values, dtype=np.float32)
        if quantised and values.ndim == 2:
            kind = gguf.GGMLQuantizationType.Q8_0
            writer.add_tensor(name, gguf.quants.quantize(values, kind), raw_dtype=kind)
        else:
            writer.add_tensor(name, values)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    os.replace(temporary, output)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", type=Path, required=True, help="folder with checkpoint.pt and tokenizer.json")
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--type", choices=["q8_0", "f32"], default="q8_0")
    parser.add_argument("--random-seed", type=int, help="random weights of the same shape instead, as a control")
    options = parser.parse_args()
    state = torch.load(options.work / "checkpoint.pt")
    config, weights = ModelConfig(**state["config"]), state["weights"]
    if options.random_seed is not None:
        torch.manual_seed(options.random_seed)
        weights = {n: torch.randn_like(w) * 0.05 if w.dim() == 2 else torch.ones_like(w) for n, w in weights.items()}
    export(config, weights, options.work / "tokenizer.json", options.output, options.type == "q8_0")
    print(f"{options.output}: {options.output.stat().st_size} bytes after {state['progress']['tokens']} tokens")


if __name__ == "__main__":
    main()
