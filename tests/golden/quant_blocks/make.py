"""Makes vectors.txt: blocks of every quantised type that the engine reads, and their values.

The values come from an independent implementation, gguf.quants.dequantize of the PyPI package gguf
(MIT), which llama.cpp's project publishes. The blocks are random bytes with scales of a sensible size,
so that every bit pattern of quants and small scales occurs.

  pip install gguf==0.19.0 && python make.py > vectors.txt

A line: type, number of elements, bytes of the blocks, values as little-endian f32; both in hex.
"""
import numpy as np
from gguf import GGMLQuantizationType as Type
from gguf import quants
from gguf.constants import GGML_QUANT_SIZES

# Where the halves of a block lie.
HALVES = {
    "Q8_0": (0,), "Q4_0": (0,), "Q4_1": (0, 2), "Q5_0": (0,), "Q5_1": (0, 2), "Q2_K": (80, 82),
    "Q3_K": (108,), "Q4_K": (0, 2), "Q5_K": (0, 2), "Q6_K": (208,), "IQ4_NL": (0,), "IQ4_XS": (0,),
}
ELEMENTS = 512


def main():
    random = np.random.default_rng(20261128)
    for name, halves in HALVES.items():
        kind = Type[name]
        elements, size = GGML_QUANT_SIZES[kind]
        blocks = random.integers(0, 256, (ELEMENTS // elements, size), dtype=np.uint8)
        for at in halves:
            scales = random.normal(0, 0.05, len(blocks)).astype(np.float16)
            blocks[:, at:at + 2] = scales.view(np.uint8).reshape(-1, 2)
        values = quants.dequantize(blocks, kind).astype("<f4").reshape(-1)
        assert len(values) == ELEMENTS and np.isfinite(values).all()
        print(name, ELEMENTS, blocks.tobytes().hex(), values.tobytes().hex())


main()
