// Flat or FAISS, loaded or trained.
#include "retrieval/hybrid/vector_part.h"

#include <spdlog/spdlog.h>

#include <filesystem>
#include <system_error>
#include <utility>

#include "retrieval/vector/faiss_index.h"
#include "retrieval/vector/flat_index.h"

namespace emptor::retrieval {
namespace {

constexpr const char* kIndexFileName = "vectors.idx";

Digest DigestOfSource(std::span<const std::string> ids, const std::vector<float>& rows) {
  Sha256 hash;
  for (const std::string& id : ids) hash.Update(id.c_str(), id.size() + 1);  // with the end mark
  hash.Update(rows.data(), rows.size() * sizeof(float));
  return hash.Finish();
}

std::unique_ptr<FaissIndex> LoadIfUsable(const std::string& path, const IndexFileKey& key) {
  auto loaded = FaissIndex::Load(path, key, {});
  if (loaded.ok()) return *std::move(loaded);
  if (absl::IsFailedPrecondition(loaded.status())) {
    spdlog::info("{}: the catalog has changed; the index is built anew", path);
  } else if (!absl::IsNotFound(loaded.status())) {
    spdlog::warn("{}; the index is built anew", loaded.status().ToString());
  }
  return nullptr;
}

}  // namespace

absl::StatusOr<std::unique_ptr<const VectorIndex>> MakeVectorPart(const VectorPartOptions& options,
                                                                  std::span<const std::string> ids,
                                                                  std::vector<float> rows) {
  if (ids.size() < options.min_vectors_for_faiss || ids.empty()) {
    return FlatIndex::Create(options.dimension, std::move(rows));
  }
  std::string path;
  IndexFileKey key{.model_id = options.model_id,
                   .dimension = options.dimension,
                   .count = ids.size(),
                   .source = {}};
  if (!options.index_directory.empty()) {
    path = (std::filesystem::path(options.index_directory) / kIndexFileName).string();
    key.source = DigestOfSource(ids, rows);
    if (auto loaded = LoadIfUsable(path, key); loaded != nullptr) return loaded;
  }
  auto trained = FaissIndex::Train(options.dimension, rows, {});
  if (!trained.ok() || path.empty()) return trained;
  std::error_code ignored;  // the write below reports a directory that could not be made
  std::filesystem::create_directories(options.index_directory, ignored);
  if (const absl::Status saved = (*trained)->Save(path, key); !saved.ok()) {
    spdlog::warn("{}; the next start trains the index again", saved.ToString());
  }
  return trained;
}

}  // namespace emptor::retrieval
