// Flat or FAISS, loaded or trained.
#include "retrieval/segment/vector_part.h"

#include <spdlog/spdlog.h>

#include <filesystem>
#include <system_error>
#include <utility>

#include "retrieval/vector/faiss_index.h"
#include "retrieval/vector/flat_index.h"

namespace emptor::retrieval {
namespace {

constexpr const char* kIndexFileName = "vectors.idx";

/// REQUIRES: rows lie by position.
Digest DigestOfSource(std::span<const std::string> ids, const QuantizedRows& rows) {
  Sha256 hash;
  for (const std::string& id : ids) hash.Update(id.c_str(), id.size() + 1);  // with the end mark
  const size_t bytes = rows.size() * static_cast<size_t>(rows.dimension());
  hash.Update(rows.coarse_at(0), bytes);
  hash.Update(rows.fine_at(0), bytes);
  hash.Update(rows.scales().data(), rows.scales().size_bytes());
  return hash.Finish();
}

std::unique_ptr<FaissIndex> LoadIfUsable(const std::string& path, const IndexFileKey& key,
                                         QuantizedRows& rows) {
  auto loaded = FaissIndex::Load(path, key, rows, {});
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
                                                                  QuantizedRows rows,
                                                                  const std::stop_token& stop) {
  const std::string path =
      options.index_directory.empty()
          ? ""
          : (std::filesystem::path(options.index_directory) / kIndexFileName).string();
  std::error_code ignored;  // a file that stays costs only room; Save reports a directory
  if (ids.size() < options.faiss.from || ids.empty()) {
    if (!path.empty()) std::filesystem::remove(path, ignored);  // of a larger shop, or older rules
    return std::make_unique<FlatIndex>(std::move(rows));
  }
  IndexFileKey key{.model_id = options.model_id,
                   .dimension = options.dimension,
                   .count = ids.size(),
                   .source = {}};
  if (!path.empty()) {
    key.source = DigestOfSource(ids, rows);
    if (auto loaded = LoadIfUsable(path, key, rows); loaded != nullptr) return loaded;
  }
  FaissOptions structure;
  structure.graph_from = options.faiss.graph_from;
  structure.training_threads = options.training_threads;
  auto trained = FaissIndex::Train(std::move(rows), structure, stop);
  if (!trained.ok() || path.empty()) return trained;
  std::filesystem::create_directories(options.index_directory, ignored);
  if (const absl::Status saved = (*trained)->Save(path, key); !saved.ok()) {
    spdlog::warn("{}; the next start trains the index again", saved.ToString());
  }
  return trained;
}

}  // namespace emptor::retrieval
