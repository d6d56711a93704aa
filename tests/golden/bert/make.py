"""Makes the golden files of the BERT encoder with transformers.

    pip install torch==2.15.0 transformers==5.23.0 tokenizers==0.23.3 safetensors
    python tests/golden/bert/make.py

mean/ and cls/ are sentence-transformers directories with random weights; vectors.txt has, for each
line of texts.jsonl, the vector of length 1 that transformers' BertModel and the pooling give.
"""
import json
import pathlib

import torch
from safetensors.torch import save_file
from tokenizers import Tokenizer
from transformers import BertConfig, BertModel

HERE = pathlib.Path(__file__).parent
TOKENIZER = HERE.parent / "tokenizer_json" / "bert_uncased.json"
TEXTS = ["Which camera with tripod?", "", "wireless keyboard", "Größe 中文 👍",
         "best battery charger for a white laptop under 500 EUR, it's cheapest " * 8, "a"]


def directory(name, pooling, max_tokens, **shape):
    torch.manual_seed(5)
    folder = HERE / name
    (folder / "1_Pooling").mkdir(parents=True, exist_ok=True)
    tokenizer = Tokenizer.from_file(str(TOKENIZER))
    config = BertConfig(vocab_size=tokenizer.get_vocab_size(), max_position_embeddings=40,
                        initializer_range=0.25, **shape)
    model = BertModel(config, add_pooling_layer=False).eval().float()
    for parameter in model.parameters():  # biases and norms too are more than zeros and ones
        if parameter.dim() == 1:
            parameter.data += 0.1 * torch.randn_like(parameter)
    save_file({k: v.contiguous() for k, v in model.state_dict().items()
               if not k.endswith("position_ids")}, str(folder / "model.safetensors"))
    (folder / "config.json").write_text(json.dumps({
        "model_type": "bert", "vocab_size": config.vocab_size, "hidden_size": config.hidden_size,
        "num_hidden_layers": config.num_hidden_layers, "hidden_act": "gelu",
        "num_attention_heads": config.num_attention_heads, "type_vocab_size": 2,
        "intermediate_size": config.intermediate_size, "max_position_embeddings": 40,
        "layer_norm_eps": 1e-12}, indent=1) + "\n")
    (folder / "tokenizer.json").write_text(TOKENIZER.read_text())
    (folder / "modules.json").write_text(json.dumps(
        [{"idx": i, "name": str(i), "path": path, "type": "sentence_transformers.models." + type_}
         for i, (path, type_) in enumerate([("", "Transformer"), ("1_Pooling", "Pooling"),
                                            ("2_Normalize", "Normalize")])]) + "\n")
    (folder / "1_Pooling" / "config.json").write_text(json.dumps(
        {"word_embedding_dimension": config.hidden_size,
         "pooling_mode_cls_token": pooling == "cls",
         "pooling_mode_mean_tokens": pooling == "mean"}) + "\n")
    (folder / "sentence_bert_config.json").write_text(
        json.dumps({"max_seq_length": max_tokens, "do_lower_case": False}) + "\n")
    tokenizer.enable_truncation(max_tokens)
    rows = []
    for text in TEXTS:
        ids = torch.tensor([tokenizer.encode(text).ids])
        with torch.no_grad():
            hidden = model(input_ids=ids, attention_mask=torch.ones_like(ids)).last_hidden_state[0]
        vector = hidden[0] if pooling == "cls" else hidden.mean(0)
        vector = vector / vector.norm()
        rows.append(" ".join(f"{v:.8g}" for v in vector.tolist()))
    (folder / "vectors.txt").write_text("\n".join(rows) + "\n")


def main():
    (HERE / "texts.jsonl").write_text("".join(json.dumps(t) + "\n" for t in TEXTS))
    directory("mean", "mean", 32, hidden_size=32, num_hidden_layers=2, num_attention_heads=4,
              intermediate_size=64)
    directory("cls", "cls", 40, hidden_size=48, num_hidden_layers=2, num_attention_heads=3,
              intermediate_size=80)


if __name__ == "__main__":
    main()
