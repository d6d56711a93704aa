"""What GGUF files of static embedders have in common (docs/formats/static_encoder.md)."""
import gguf
import numpy as np

ARCHITECTURE = "emptor-static"


def begin(path, vectors, name, text_normalization):
    """A writer with all keys but those of the tokenizer."""
    writer = gguf.GGUFWriter(str(path), ARCHITECTURE)
    writer.add_name(name)
    writer.add_license("Apache-2.0")
    writer.add_uint32(f"{ARCHITECTURE}.embedding_length", vectors.shape[1])
    writer.add_uint32(f"{ARCHITECTURE}.vocab_size", vectors.shape[0])
    writer.add_bool(f"{ARCHITECTURE}.normalize", True)
    writer.add_string(f"{ARCHITECTURE}.text_normalization", text_normalization)
    writer.add_add_bos_token(False)
    writer.add_add_eos_token(False)
    return writer


def finish(writer, vectors, weights):
    """Writes vectors as Q8_0 and weights as F32, and closes the file."""
    quantized = gguf.quantize(vectors.astype(np.float32), gguf.GGMLQuantizationType.Q8_0)
    writer.add_tensor("token_embd.weight", quantized, raw_dtype=gguf.GGMLQuantizationType.Q8_0)
    writer.add_tensor("token_weight", weights.astype(np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def read(file):
    """(vectors, weights) of a gguf.GGUFReader, dequantised."""
    tensors = {t.name: t for t in file.tensors}
    embedding = tensors["token_embd.weight"]
    return (gguf.dequantize(embedding.data, embedding.tensor_type).astype(np.float32),
            np.array(tensors["token_weight"].data, dtype=np.float32))
