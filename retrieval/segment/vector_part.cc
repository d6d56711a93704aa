// Reads, trains and writes.
#include "retrieval/segment/vector_part.h"

#include <spdlog/spdlog.h>

#include <filesystem>
#include <system_error>
#include <utility>

namespace emptor::retrieval {
namespace {

constexpr const char* kIndexFileName = "vectors.idx";

Digest DigestOfSource(std::span<const std::string> ids, const QuantizedRows& rows) {
  Sha256 hash;
  for (const std::string& id : ids) hash.Update(id.c_str(), id.size() + 1);  // with the end mark
  const size_t bytes = rows.size() * static_cast<size_t>(rows.dimension());
  hash.Update(rows.coarse_at(0), bytes);
  hash.Update(rows.fine_at(0), bytes);
  hash.Update(rows.scales().data(), rows.scales().size_bytes());
  return hash.Finish();
}

std::unique_ptr<VectorIndex> LoadIfUsable(const std::string& path, const IndexFileKey& key,
                                          QuantizedRows& rows, const VectorIndexOptions& options) {
  auto loaded = VectorIndex::Load(path, key, rows, options);
  if (loaded.ok()) return *std::move(loaded);
  if (absl::IsFailedPrecondition(loaded.status())) {
    spdlog::info("{}; the index is trained again", std::string(loaded.status().message()));
  } else if (!absl::IsNotFound(loaded.status())) {
    spdlog::warn("{}; the index is trained again", loaded.status().ToString());
  }
  return nullptr;
}

}  // namespace

absl::StatusOr<std::unique_ptr<const VectorIndex>> MakeVectorPart(const VectorPartOptions& options,
                                                                  std::span<const std::string> ids,
                                                                  QuantizedRows rows,
                                                                  const std::stop_token& stop) {
  const std::string path =
      options.index_directory.empty()
          ? ""
          : (std::filesystem::path(options.index_directory) / kIndexFileName).string();
  const VectorIndexOptions index{.spec = options.index,
                                 .training_threads = options.training_threads};
  std::error_code ignored;  // a leftover file only uses space; Save reports a directory
  if (path.empty() || !index.spec.is_kept() || ids.size() < index.spec.min_rows()) {
    if (!path.empty()) std::filesystem::remove(path, ignored);  // of other settings
    if (!ids.empty() && ids.size() < index.spec.min_rows()) {
      spdlog::info("vector index: {} needs {} vectors, found {}; they are searched through {}",
                   index.spec.factory, index.spec.min_rows(), ids.size(), kDefaultVectorIndex);
    }
    return VectorIndex::Build(std::move(rows), index, stop);
  }
  const IndexFileKey key{.factory = index.spec.factory,
                         .model_id = options.model_id,
                         .dimension = options.dimension,
                         .count = ids.size(),
                         .source = DigestOfSource(ids, rows)};
  if (auto loaded = LoadIfUsable(path, key, rows, index); loaded != nullptr) return loaded;
  auto trained = VectorIndex::Build(std::move(rows), index, stop);
  if (!trained.ok()) return trained;
  std::filesystem::create_directories(options.index_directory, ignored);
  if (const absl::Status saved = (*trained)->Save(path, key); !saved.ok()) {
    spdlog::warn("{}; the next start trains the index again", saved.ToString());
  }
  return trained;
}

}  // namespace emptor::retrieval
