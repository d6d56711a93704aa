#!/usr/bin/env python3
"""Writes the logits and greedy tokens that transformers' LlamaForCausalLM gives for small random models.

Run once, from the repository root, after `make build`: pip install torch transformers==5.23.0 gguf==0.19.0,
then  python3 tests/golden/llama_logits/make.py build/release/emptor
The models are those of `emptor model random`, which the test writes again from shape and seed; the digest
says that it is the same file. llama_logits_test.cc compares.

Format of a golden file, a line each: "shape S", "seed N", "sha256 H", "prompt IDS", "greedy IDS", and for each
chosen position "logits P VALUES", the vocabulary's values in order.
"""
import hashlib
import itertools
import pathlib
import subprocess
import sys
import tempfile

import gguf
import numpy
import torch
import transformers

FOLDER = pathlib.Path(__file__).parent
MODELS = {
    "mha": "width=64,layers=3,heads=4,kv_heads=4,head_dim=16,feed_forward=160,vocabulary=320,tied=false",
    "gqa": "width=96,layers=4,heads=6,kv_heads=2,head_dim=32,feed_forward=192,vocabulary=320,rope_base=500000",
}
PROMPT_TOKENS, GREEDY_TOKENS = 45, 32
POSITIONS = [0, 1, 17, 44]  # of the prompt; the last one begins the greedy tokens
# The first seed is taken whose greedy tokens are never this close to another choice: the engine keeps keys and
# values in half precision, PyTorch in single.
LEAST_MARGIN = 1e-3


def load(path):
    """The GGUF's weights in a LlamaForCausalLM."""
    reader = gguf.GGUFReader(path)
    key = lambda name: reader.fields["llama." + name].contents()
    heads, kv_heads = key("attention.head_count"), key("attention.head_count_kv")
    tensors = {t.name: torch.from_numpy(numpy.array(t.data)) for t in reader.tensors}
    base = reader.fields.get("llama.rope.freq_base")
    config = transformers.LlamaConfig(
        vocab_size=tensors["token_embd.weight"].shape[0], hidden_size=key("embedding_length"),
        intermediate_size=key("feed_forward_length"), num_hidden_layers=key("block_count"),
        num_attention_heads=heads, num_key_value_heads=kv_heads, head_dim=key("attention.key_length"),
        max_position_embeddings=key("context_length"), rms_norm_eps=key("attention.layer_norm_rms_epsilon"),
        rope_theta=base.contents() if base else 10000.0, tie_word_embeddings="output.weight" not in tensors,
        attention_bias=False, mlp_bias=False)
    if hasattr(config, "rope_parameters"):
        config.rope_parameters = {"rope_type": "default", "rope_theta": base.contents() if base else 10000.0}

    def halves(weight, n):
        """GGUF rotates neighbours, transformers rotates halves of a head."""
        rows, cols = weight.shape
        return weight.reshape(n, rows // n // 2, 2, cols).swapaxes(1, 2).reshape(rows, cols)

    state = {"model.embed_tokens.weight": tensors["token_embd.weight"],
             "model.norm.weight": tensors["output_norm.weight"],
             "lm_head.weight": tensors.get("output.weight", tensors["token_embd.weight"])}
    names = {"attn_norm": "input_layernorm", "attn_q": "self_attn.q_proj", "attn_k": "self_attn.k_proj",
             "attn_v": "self_attn.v_proj", "attn_output": "self_attn.o_proj",
             "ffn_norm": "post_attention_layernorm", "ffn_gate": "mlp.gate_proj", "ffn_up": "mlp.up_proj",
             "ffn_down": "mlp.down_proj"}
    for layer in range(config.num_hidden_layers):
        for ours, theirs in names.items():
            weight = tensors[f"blk.{layer}.{ours}.weight"]
            if ours in ("attn_q", "attn_k"):
                weight = halves(weight, heads if ours == "attn_q" else kv_heads)
            state[f"model.layers.{layer}.{theirs}.weight"] = weight
    model = transformers.LlamaForCausalLM(config).to(torch.float32).eval()
    model.load_state_dict(state)
    return model


def generate(model, prompt):
    """The greedy tokens, and the smallest distance of the two best logits, as a part of the logits' norm."""
    tokens, margin = list(prompt), 1.0
    for _ in range(GREEDY_TOKENS):
        last = model(torch.tensor([tokens])).logits[0, -1]
        best = torch.topk(last, 2).values
        margin = min(margin, float((best[0] - best[1]) / last.norm()))
        tokens.append(int(last.argmax()))
    return tokens[len(prompt):], margin


def make(emptor, name, shape, seed, path):
    """Writes the golden file; False where two logits are so close that rounding chooses the token."""
    subprocess.run([emptor, "model", "random", "--shape", shape, "--type", "f32", "--seed", str(seed),
                    "--output", str(path)], check=True, stdout=subprocess.DEVNULL)
    model = load(path)
    vocabulary = model.config.vocab_size
    prompt = [(7 * i * i + 31 * i + seed) % vocabulary for i in range(PROMPT_TOKENS)]
    greedy, margin = generate(model, prompt)
    if margin < LEAST_MARGIN:
        return False
    logits = model(torch.tensor([prompt])).logits[0]
    lines = [f"shape {shape}", f"seed {seed}", f"sha256 {hashlib.sha256(path.read_bytes()).hexdigest()}",
             "prompt " + " ".join(map(str, prompt)), "greedy " + " ".join(map(str, greedy))]
    for position in POSITIONS:
        lines.append(f"logits {position} " + " ".join("%.7g" % v for v in logits[position].tolist()))
    (FOLDER / f"{name}.txt").write_text("\n".join(lines) + "\n")
    print(f"{name}: seed {seed}, {path.stat().st_size} bytes, smallest margin {margin:.5f}")
    return True


def main():
    torch.set_num_threads(1)
    torch.set_grad_enabled(False)
    with tempfile.TemporaryDirectory() as folder:
        for name, shape in MODELS.items():
            for seed in itertools.count(1):
                if make(sys.argv[1], name, shape, seed, pathlib.Path(folder) / f"{name}.gguf"):
                    break


if __name__ == "__main__":
    main()
