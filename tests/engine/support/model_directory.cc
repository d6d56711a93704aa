// Writes config.json, safetensors and their index.
#include "tests/engine/support/model_directory.h"

#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "engine/conversion/random_model.h"
#include "engine/tokenizer/byte_alphabet.h"
#include "fmt/format.h"
#include "gtest/gtest.h"

namespace emptor::testing {
namespace {

std::string Numbers(const std::vector<int64_t>& numbers) {
  std::string text;
  for (const int64_t number : numbers) text += (text.empty() ? "" : ",") + std::to_string(number);
  return '[' + text + ']';
}

}  // namespace

ModelDirectory::ModelDirectory() {
  static int count = 0;
  path_ = fmt::format("{}model_directory_{}_{}", ::testing::TempDir(), getpid(), ++count);
  std::filesystem::create_directory(path_);
}

ModelDirectory::~ModelDirectory() { std::filesystem::remove_all(path_); }

void ModelDirectory::Write(std::string_view file, std::string_view bytes) const {
  std::ofstream(path_ + '/' + std::string(file), std::ios::binary)
      .write(bytes.data(), std::ssize(bytes));
}

std::string SafetensorsBytes(const std::vector<RawTensor>& tensors) {
  std::string header, data;
  for (const RawTensor& tensor : tensors) {
    const size_t begin = data.size();
    data += tensor.bytes;
    header += fmt::format(R"({}"{}":{{"dtype":"{}","shape":{},"data_offsets":[{},{}]}})",
                          header.empty() ? '{' : ',', tensor.name, tensor.dtype,
                          Numbers(tensor.dims), begin, data.size());
  }
  header += '}';
  header.resize((header.size() + 7) / 8 * 8, ' ');
  const uint64_t length = header.size();
  return std::string(reinterpret_cast<const char*>(&length), 8) + header + data;
}

std::string SafetensorsBytes(const std::vector<FloatTensor>& tensors) {
  std::vector<RawTensor> raw;
  for (const FloatTensor& tensor : tensors) {
    raw.push_back(
        {tensor.name,
         "F32",
         tensor.dims,
         {reinterpret_cast<const char*>(tensor.values.data()), tensor.values.size() * 4}});
  }
  return SafetensorsBytes(raw);
}

std::vector<FloatTensor> GoldenTensors(const GoldenLogits& golden) {
  std::vector<FloatTensor> tensors;
  uint64_t seed = 1000 * golden.seed;
  for (const auto& [name, dims] : golden.tensors) {
    engine::RandomTensor numbers{.name = name, .dims = {}, .mean = 1, .deviation = 0.1f};
    if (dims.size() == 2) {
      numbers.mean = 0;
      numbers.deviation = 1 / std::sqrt(static_cast<float>(dims[1]));
    } else if (name.ends_with(".bias")) {
      numbers.mean = 0;
      numbers.deviation = 0.2f;
    }
    numbers.seed = seed++;
    size_t count = 1;
    for (const int64_t dim : dims) count *= static_cast<size_t>(dim);
    tensors.push_back({name, dims, std::vector<float>(count)});
    engine::RandomNumbersInto(numbers, 0, tensors.back().values);
  }
  return tensors;
}

std::string ByteTokenizerJson() {
  std::string vocab;
  for (int byte = 0; byte < 256; ++byte) {
    std::string token = engine::ByteAlphabet::Get().Encode(static_cast<uint8_t>(byte));
    if (token == "\"" || token == "\\") token = '\\' + token;
    vocab += fmt::format("{}\"{}\":{}", byte == 0 ? "" : ",", token, byte);
  }
  const auto special = [](int id, const char* content) {
    return fmt::format(R"({{"id":{},"content":"{}","single_word":false,"lstrip":false,)"
                       R"("rstrip":false,"normalized":false,"special":true}})",
                       id, content);
  };
  return R"({"version":"1.0","truncation":null,"padding":null,"added_tokens":[)" +
         special(256, "<|im_start|>") + ',' + special(257, "<|im_end|>") +
         R"(],"normalizer":null,"pre_tokenizer":{"type":"ByteLevel","add_prefix_space":false,)"
         R"("trim_offsets":true,"use_regex":true},"post_processor":null,)"
         R"("decoder":{"type":"ByteLevel","add_prefix_space":true,"trim_offsets":true,)"
         R"("use_regex":true},"model":{"type":"BPE","dropout":null,"unk_token":null,)"
         R"("continuing_subword_prefix":null,"end_of_word_suffix":null,"fuse_unk":false,)"
         R"("byte_fallback":false,"ignore_merges":false,"vocab":{)" +
         vocab + R"(},"merges":[]}})";
}

void WriteGoldenModel(const ModelDirectory& directory, const std::string& name, bool sharded) {
  const std::string folder = EMPTOR_SOURCE_DIR "/tests/golden/model_logits/" + name;
  std::ifstream config(folder + "/config.json");
  directory.Write("config.json", std::string((std::istreambuf_iterator<char>(config)), {}));
  const std::vector<FloatTensor> tensors =
      GoldenTensors(GoldenLogits::Read("model_logits/" + name + "/golden.txt"));
  if (!sharded) return directory.Write("model.safetensors", SafetensorsBytes(tensors));
  const std::string files[] = {"model-00001-of-00002.safetensors",
                               "model-00002-of-00002.safetensors"};
  std::vector<FloatTensor> shards[2];
  std::string map;
  for (size_t i = 0; i < tensors.size(); ++i) {
    shards[i % 2].push_back(tensors[i]);
    map += fmt::format(R"({}"{}":"{}")", map.empty() ? "" : ",", tensors[i].name, files[i % 2]);
  }
  for (size_t i = 0; i < 2; ++i) directory.Write(files[i], SafetensorsBytes(shards[i]));
  directory.Write("model.safetensors.index.json",
                  "{\"metadata\":{\"total_size\":1},\"weight_map\":{" + map + "}}");
}

}  // namespace emptor::testing
