#!/usr/bin/env python3
"""Writes the logits and greedy tokens that transformers gives for small random models of each family.

Run once, from the repository root: pip install torch transformers==5.23.0 safetensors==0.8.0 numpy, then
python3 tests/golden/model_logits/make.py
A model is the folder's config.json and weights that golden.txt names; their numbers follow from the seed
(weights() here, RandomNumbersInto in engine/conversion/random_model.cc), so that none is stored. model_logits_test.cc
writes the directory again, loads it and compares.

Format of golden.txt, a line each: "seed N", "tensor NAME DIMS" in the order of their seeds, "prompt IDS",
"greedy IDS", and for each chosen position "logits P VALUES", the vocabulary's values in order.
"""
import itertools
import json
import pathlib
import tempfile

import numpy
import torch
import transformers
from safetensors import safe_open
from safetensors.numpy import save_file

FOLDER = pathlib.Path(__file__).parent
PROMPT_TOKENS, GREEDY_TOKENS = 45, 32
POSITIONS = [0, 17, 44]  # of the prompt; the last one begins the greedy tokens
# The first seed is taken whose greedy tokens are never this close to another choice: the engine keeps keys and
# values in half precision, PyTorch in single; and whose greedy tokens are not always the same ones.
LEAST_MARGIN, LEAST_DIFFERENT = 2e-3, 8

COMMON = {"hidden_size": 64, "intermediate_size": 96, "num_hidden_layers": 2, "num_attention_heads": 4,
          "num_key_value_heads": 2, "vocab_size": 320, "max_position_embeddings": 256, "hidden_act": "silu",
          "bos_token_id": 1, "eos_token_id": 2}
# As the hub's files have them: some in the form of transformers 5 (rope_parameters), some older.
MODELS = {
    "llama3": {"model_type": "llama", "tie_word_embeddings": False, "rms_norm_eps": 1e-5, "head_dim": 16,
               "rope_parameters": {"rope_type": "llama3", "rope_theta": 10000.0, "factor": 8.0,
                                   "low_freq_factor": 1.0, "high_freq_factor": 4.0,
                                   "original_max_position_embeddings": 32}},
    "llama_linear": {"model_type": "llama", "num_key_value_heads": None, "attention_bias": True,
                     "rms_norm_eps": 1e-6, "rope_theta": 5000.0, "rope_scaling": {"type": "linear", "factor": 4.0}},
    "mistral": {"model_type": "mistral", "sliding_window": 16, "rms_norm_eps": 1e-5, "rope_theta": 10000.0},
    "mixtral": {"model_type": "mixtral", "num_local_experts": 5, "num_experts_per_tok": 2, "rms_norm_eps": 1e-5,
                "rope_theta": 1e6, "sliding_window": None},
    "qwen2": {"model_type": "qwen2", "tie_word_embeddings": True, "rms_norm_eps": 1e-6, "rope_theta": 1e6,
              "use_sliding_window": False, "sliding_window": 16, "max_window_layers": 2},
    "qwen2_window": {"model_type": "qwen2", "rms_norm_eps": 1e-6, "rope_theta": 10000.0, "num_hidden_layers": 3,
                     "use_sliding_window": True, "sliding_window": 12, "max_window_layers": 1},
    "qwen3": {"model_type": "qwen3", "head_dim": 24, "rms_norm_eps": 1e-6,
              "rope_parameters": {"rope_type": "default", "rope_theta": 1e6}},
    "qwen3_yarn": {"model_type": "qwen3", "head_dim": 16, "tie_word_embeddings": True, "rms_norm_eps": 1e-6,
                   "rope_theta": 10000.0,
                   "rope_scaling": {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 32}},
}


def mix(state):
    state = (state ^ (state >> numpy.uint64(30))) * numpy.uint64(0xbf58476d1ce4e5b9)
    state = (state ^ (state >> numpy.uint64(27))) * numpy.uint64(0x94d049bb133111eb)
    return state ^ (state >> numpy.uint64(31))


def random_numbers(count, mean, deviation, seed):
    """RandomNumbersInto: the sum of the four 16-bit parts of splitmix64's output, scaled."""
    golden = numpy.uint64(0x9e3779b97f4a7c15)
    with numpy.errstate(over="ignore"):
        bits = mix(mix(numpy.uint64(seed) + golden) + numpy.arange(1, count + 1, dtype=numpy.uint64) * golden)
    parts = [(bits >> numpy.uint64(shift)) & numpy.uint64(0xffff) for shift in (0, 16, 32, 48)]
    total = sum(part.astype(numpy.int64) for part in parts) - 2 * 65535
    scale = numpy.float32(1 / numpy.sqrt((65536.0 * 65536.0 - 1) / 3)) * numpy.float32(deviation)
    return numpy.float32(mean) + total.astype(numpy.float32) * scale


def weights(shapes, seed):
    """A matrix has a deviation of 1 / sqrt(columns), a bias of 0.2, a norm is around 1."""
    tensors = {}
    for index, (name, shape) in enumerate(shapes.items()):
        count = int(numpy.prod(shape))
        if len(shape) == 2:
            mean, deviation = 0, numpy.float32(1) / numpy.sqrt(numpy.float32(shape[1]))
        elif name.endswith(".bias"):
            mean, deviation = 0, 0.2
        else:
            mean, deviation = 1, 0.1
        tensors[name] = random_numbers(count, mean, deviation, 1000 * seed + index).reshape(shape)
    return tensors


def shapes_of(config, folder):
    """Names and shapes as transformers saves them."""
    transformers.AutoModelForCausalLM.from_config(config).save_pretrained(folder)
    with safe_open(folder / "model.safetensors", "np") as file:
        return {name: file.get_slice(name).get_shape() for name in sorted(file.keys())}


def generate(model, prompt):
    """The greedy tokens, and the smallest distance of the two best logits, as a part of the logits' norm."""
    tokens, margin = list(prompt), 1.0
    for _ in range(GREEDY_TOKENS):
        last = model(torch.tensor([tokens])).logits[0, -1]
        best = torch.topk(last, 2).values
        margin = min(margin, float((best[0] - best[1]) / last.norm()))
        tokens.append(int(last.argmax()))
    return tokens[len(prompt):], margin


def make(name, config, seed, folder):
    """Writes the golden file; False for a seed that does not do."""
    (folder / "config.json").write_text(json.dumps(config, indent=2) + "\n")
    shapes = shapes_of(transformers.AutoConfig.from_pretrained(folder), folder)
    (folder / "config.json").write_text(json.dumps(config, indent=2) + "\n")
    save_file(weights(shapes, seed), folder / "model.safetensors", metadata={"format": "pt"})
    model = transformers.AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32,
                                                              attn_implementation="eager").eval()
    prompt = [(7 * i * i + 31 * i + seed) % config["vocab_size"] for i in range(PROMPT_TOKENS)]
    greedy, margin = generate(model, prompt)
    if margin < LEAST_MARGIN or len(set(greedy)) < LEAST_DIFFERENT:
        return False
    logits = model(torch.tensor([prompt])).logits[0]
    lines = [f"seed {seed}"]
    lines += [f"tensor {tensor} " + " ".join(map(str, shape)) for tensor, shape in shapes.items()]
    lines += ["prompt " + " ".join(map(str, prompt)), "greedy " + " ".join(map(str, greedy))]
    for position in POSITIONS:
        lines.append(f"logits {position} " + " ".join("%.6g" % v for v in logits[position].tolist()))
    target = FOLDER / name
    target.mkdir(exist_ok=True)
    (target / "golden.txt").write_text("\n".join(lines) + "\n")
    (target / "config.json").write_text((folder / "config.json").read_text())
    print(f"{name}: seed {seed}, smallest margin {margin:.5f}, greedy {greedy}")
    return True


def main():
    torch.set_num_threads(1)
    torch.set_grad_enabled(False)
    transformers.utils.logging.set_verbosity_error()
    for name, own in MODELS.items():
        for seed in itertools.count(1):
            with tempfile.TemporaryDirectory() as folder:
                if make(name, {**COMMON, **own}, seed, pathlib.Path(folder)):
                    break


if __name__ == "__main__":
    main()
