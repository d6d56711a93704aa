// Any bytes as a vector index file: refused with a reason, never a crash.
#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "retrieval/vector/faiss_index.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using emptor::retrieval::FaissIndex;
  static const std::string path =
      (std::filesystem::temp_directory_path() / ("emptor_fuzz_index_" + std::to_string(::getpid())))
          .string();
  std::ofstream(path, std::ios::binary | std::ios::trunc)
      .write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
  emptor::retrieval::QuantizedRows rows(4);
  rows.Add(std::array<float, 4>{1, 0, 0, 0});
  rows.Add(std::array<float, 4>{0, 1, 0, 0});
  const auto loaded =
      FaissIndex::Load(path, {.model_id = "m", .dimension = 4, .count = 2, .source = {}}, rows, {});
  std::filesystem::remove(path);
  if (!loaded.ok()) return rows.size() == 2 ? 0 : (std::abort(), 0);
  const std::array<float, 4> query = {0.6f, 0.8f, 0, 0};
  const auto found = (*loaded)->Search(query, 2, nullptr);
  if ((*loaded)->size() != 2 || !found.ok() || found->best.size() != 2) std::abort();
  return 0;
}
