#!/usr/bin/env python3
"""Writes LoRA adapters as PEFT saves them, one of them also in llama.cpp's GGUF layout, and the logits that they give.

Run once, from the repository root: pip install torch transformers==5.23.0 peft==0.21.2 safetensors==0.8.0 gguf numpy, then
python3 tests/golden/lora/make.py
The base models are those of tests/golden/model_logits, whose weights follow from their seeds. A case is a folder:
adapter_config.json and adapter_model.safetensors (PEFT's save_pretrained), golden.txt (the format of model_logits/make.py,
of the base model with the adapter, not merged), and for some adapter.gguf (names, keys and the order of rows of
convert_lora_to_gguf.py). lora_logits_test.cc compares.
"""
import importlib.util
import itertools
import json
import pathlib
import tempfile

import gguf
import numpy
import peft
import torch
import transformers
from safetensors.numpy import load_file, save_file

FOLDER = pathlib.Path(__file__).parent
spec = importlib.util.spec_from_file_location("model_logits", FOLDER.parent / "model_logits" / "make.py")
base = importlib.util.module_from_spec(spec)
spec.loader.exec_module(base)

ALL = ["q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"]
CASES = {
    "llama3_all": ("llama3", dict(r=8, lora_alpha=16, target_modules=ALL)),
    "llama3_patterns": ("llama3", dict(r=4, lora_alpha=6, target_modules=["q_proj", "v_proj", "down_proj"], use_rslora=True,
                                       rank_pattern={"layers.1.self_attn.q_proj": 6}, alpha_pattern={"v_proj": 3})),
    "qwen2_attention": ("qwen2", dict(r=3, lora_alpha=6, target_modules=["q_proj", "k_proj", "v_proj", "o_proj"])),
}
GGUF_CASES = {"llama3_all": "llama"}  # and their general.architecture
GGUF_NAMES = {"self_attn.q_proj": "attn_q", "self_attn.k_proj": "attn_k", "self_attn.v_proj": "attn_v",
              "self_attn.o_proj": "attn_output", "mlp.gate_proj": "ffn_gate", "mlp.up_proj": "ffn_up",
              "mlp.down_proj": "ffn_down"}


def load_base(family, folder):
    """The model that model_logits_test.cc writes, and its configuration."""
    golden = (FOLDER.parent / "model_logits" / family / "golden.txt").read_text().splitlines()
    seed = next(int(line.split()[1]) for line in golden if line.startswith("seed "))
    shapes = {line.split()[1]: [int(n) for n in line.split()[2:]] for line in golden if line.startswith("tensor ")}
    text = (FOLDER.parent / "model_logits" / family / "config.json").read_text()
    (folder / "config.json").write_text(text)
    save_file(base.weights(shapes, seed), folder / "model.safetensors", metadata={"format": "pt"})
    model = transformers.AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32, attn_implementation="eager")
    return model.eval(), json.loads(text)


def fill(model, seed):
    """Numbers for A and B that change the logits about as much as the weights themselves do."""
    for index, (name, parameter) in enumerate(model.named_parameters()):
        if "lora_" not in name:
            continue
        shape = tuple(parameter.shape)
        deviation = 0.3 if "lora_B" in name else 1 / numpy.sqrt(shape[1])
        numbers = base.random_numbers(int(numpy.prod(shape)), 0, deviation, 777000 * seed + index)
        parameter.data = torch.from_numpy(numbers.reshape(shape).copy())


def neighbours(rows, heads):
    """The order of rows that llama.cpp's rotation of neighbouring elements wants."""
    return rows.reshape(heads, 2, rows.shape[0] // heads // 2, rows.shape[1]).swapaxes(1, 2).reshape(rows.shape)


def write_gguf(folder, architecture, config):
    settings = json.loads((folder / "adapter_config.json").read_text())
    writer = gguf.GGUFWriter(folder / "adapter.gguf", architecture)
    writer.add_type("adapter")
    writer.add_string("adapter.type", "lora")
    writer.add_float32("adapter.lora.alpha", float(settings["lora_alpha"]))
    for name, tensor in sorted(load_file(folder / "adapter_model.safetensors").items()):
        parts = name.removeprefix("base_model.model.model.layers.").split(".")
        module, side = ".".join(parts[1:3]), parts[3]
        if side == "lora_B" and module in ("self_attn.q_proj", "self_attn.k_proj"):
            heads = "num_attention_heads" if module.endswith("q_proj") else "num_key_value_heads"
            tensor = neighbours(tensor, config[heads])
        ending = "lora_a" if side == "lora_A" else "lora_b"
        writer.add_tensor(f"blk.{parts[0]}.{GGUF_NAMES[module]}.weight.{ending}", numpy.ascontiguousarray(tensor))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def make(case, family, settings, seed):
    """Writes the case; False for a seed that does not do."""
    with tempfile.TemporaryDirectory() as temporary:
        plain, config = load_base(family, pathlib.Path(temporary))
        model = peft.get_peft_model(plain, peft.LoraConfig(task_type="CAUSAL_LM", **settings)).eval()
        fill(model, seed)
        prompt = [(7 * i * i + 31 * i + seed) % config["vocab_size"] for i in range(base.PROMPT_TOKENS)]
        greedy, margin = base.generate(model, prompt)
        if margin < base.LEAST_MARGIN or len(set(greedy)) < base.LEAST_DIFFERENT:
            return False
        logits = model(torch.tensor([prompt])).logits[0]
        target = FOLDER / case
        target.mkdir(exist_ok=True)
        model.peft_config["default"].base_model_name_or_path = f"emptor/{family}"
        model.save_pretrained(target)
        (target / "README.md").unlink()
        if case in GGUF_CASES:
            write_gguf(target, GGUF_CASES[case], config)
        lines = [f"seed {seed}"]
        lines += ["prompt " + " ".join(map(str, prompt)), "greedy " + " ".join(map(str, greedy))]
        for position in base.POSITIONS:
            lines.append(f"logits {position} " + " ".join("%.6g" % v for v in logits[position].tolist()))
        (target / "golden.txt").write_text("\n".join(lines) + "\n")
        print(f"{case}: seed {seed}, smallest margin {margin:.5f}, greedy {greedy}")
    return True


def main():
    torch.set_num_threads(1)
    torch.set_grad_enabled(False)
    transformers.utils.logging.set_verbosity_error()
    for case, (family, settings) in CASES.items():
        for seed in itertools.count(1):
            if make(case, family, settings, seed):
                break


if __name__ == "__main__":
    main()
