// Any bytes as a vector index file: refused with a reason, never a crash.
#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "retrieval/vector/vector_index.h"

namespace {

using emptor::retrieval::ParseVectorIndex;
using emptor::retrieval::QuantizedRows;
using emptor::retrieval::VectorIndex;

void LoadAs(const std::string& path, const char* factory) {
  QuantizedRows rows(4);
  for (int i = 0; i < 80; ++i) {
    rows.Add(std::array<float, 4>{1, 0.01f * static_cast<float>(i), 0, 0});
  }
  const auto loaded = VectorIndex::Load(
      path,
      {.factory = factory, .model_id = "m", .dimension = 4, .count = rows.size(), .source = {}},
      rows, {.spec = *ParseVectorIndex(factory)});
  if (!loaded.ok()) return rows.size() == 80 ? void() : std::abort();
  const std::array<float, 4> query = {0.6f, 0.8f, 0, 0};
  const auto found = (*loaded)->Search(query, 2, nullptr);
  if ((*loaded)->size() != 80 || !found.ok() || found->best.size() != 2) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const std::string path =
      (std::filesystem::temp_directory_path() / ("emptor_fuzz_index_" + std::to_string(::getpid())))
          .string();
  std::ofstream(path, std::ios::binary | std::ios::trunc)
      .write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
  LoadAs(path, "IVF2,SQ8");
  LoadAs(path, "HNSW4,SQ8");
  std::filesystem::remove(path);
  return 0;
}
