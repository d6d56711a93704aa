// A map over a sealed file.
#include "services/ingest/passage_vectors.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <utility>

#include "catalog/sha256.h"

namespace emptor::services {
namespace {

constexpr size_t kKeyBytes = 16;
constexpr std::string_view kMagic = "EMPTPVEC";
constexpr uint32_t kVersion = 1;

std::string KeyOf(std::string_view text) {
  catalog::Sha256 hash;
  hash.Update(text.data(), text.size());
  const catalog::Digest digest = hash.Finish();
  return {reinterpret_cast<const char*>(digest.data()), kKeyBytes};
}

}  // namespace

PassageVectors::PassageVectors(const retrieval::Embedder& embedder, std::string path)
    : embedder_(embedder), path_(std::move(path)) {
  ReadFile();
}

retrieval::SealedFileKind PassageVectors::Kind() const {
  return {kMagic, kVersion, fmt::format("{}\n{}", embedder_.model_id(), embedder_.dimension())};
}

void PassageVectors::ReadFile() {
  auto payload = retrieval::MapSealedFile(path_, Kind());
  if (absl::IsNotFound(payload.status())) return;
  const size_t row = kKeyBytes + sizeof(float) * static_cast<size_t>(embedder_.dimension());
  if (!payload.ok() || payload->bytes.size() % row != 0) {
    spdlog::info("{}: {}; passages are embedded anew", path_,
                 payload.ok() ? "not of whole rows" : payload.status().ToString());
    return;
  }
  file_ = *std::move(payload);
  for (size_t at = 0; at < file_.bytes.size(); at += row) {
    const auto* key = reinterpret_cast<const char*>(file_.bytes.data() + at);
    known_[Key(key, kKeyBytes)].offset = at + kKeyBytes;
  }
}

bool PassageVectors::Find(const Key& key, std::vector<float>& vector) {
  const auto found = known_.find(key);
  if (found == known_.end()) return false;
  Known& known = found->second;
  known.used = true;
  if (!known.fresh.empty()) {
    vector = known.fresh;
    return true;
  }
  vector.resize(static_cast<size_t>(embedder_.dimension()));
  std::memcpy(vector.data(), file_.bytes.data() + known.offset, vector.size() * sizeof(float));
  return true;
}

absl::StatusOr<std::vector<std::vector<float>>> PassageVectors::Embed(
    const std::vector<std::string>& texts, size_t batch) {
  std::vector<std::vector<float>> vectors(texts.size());
  std::vector<Key> keys;
  std::vector<size_t> open;
  {
    const std::lock_guard lock(mutex_);
    for (size_t i = 0; i < texts.size(); ++i) {
      keys.push_back(KeyOf(texts[i]));
      if (!Find(keys[i], vectors[i])) open.push_back(i);
    }
  }
  const auto width = static_cast<size_t>(embedder_.dimension());
  for (size_t begin = 0; begin < open.size(); begin += batch) {
    const auto places = std::span(open).subspan(begin, std::min(batch, open.size() - begin));
    std::vector<std::string> asked;
    for (const size_t place : places) asked.push_back(texts[place]);
    std::vector<float> rows(asked.size() * width);
    if (absl::Status status = embedder_.EmbedInto(asked, rows); !status.ok()) return status;
    const std::lock_guard lock(mutex_);
    for (size_t i = 0; i < places.size(); ++i) {
      const auto row = std::span(rows).subspan(i * width, width);
      vectors[places[i]].assign(row.begin(), row.end());
      Known& known = known_[keys[places[i]]];
      fresh_ += known.fresh.empty();
      known = {.fresh = vectors[places[i]], .used = true};
    }
  }
  return vectors;
}

size_t PassageVectors::EmbedOrLeaveOut(const std::vector<std::string>& texts, size_t batch,
                                       std::vector<std::vector<float>>& vectors) {
  auto all = Embed(texts, batch);
  if (all.ok()) {
    vectors = *std::move(all);
    return 0;
  }
  spdlog::warn("passages: {}", all.status().ToString());
  size_t left_out = 0;
  vectors.assign(texts.size(), {});
  const std::lock_guard lock(mutex_);
  for (size_t i = 0; i < texts.size(); ++i) {
    if (Find(KeyOf(texts[i]), vectors[i])) continue;
    vectors[i].assign(static_cast<size_t>(embedder_.dimension()), 0.0f);
    ++left_out;
  }
  return left_out;
}

absl::Status PassageVectors::Save(bool all) {
  const std::lock_guard lock(mutex_);
  if (fresh_ == 0 || (!all && fresh_ < known_.size() / 4)) return absl::OkStatus();
  std::error_code ignored;  // the write below reports a directory that could not be made
  std::filesystem::create_directories(std::filesystem::path(path_).parent_path(), ignored);
  const size_t bytes = sizeof(float) * static_cast<size_t>(embedder_.dimension());
  const absl::Status written =
      retrieval::WriteSealedFile(path_, Kind(), [&](const retrieval::SealedPayloadSink& sink) {
        for (const auto& [key, known] : known_) {
          if (!known.used) continue;  // of a passage that is no more
          const void* vector = known.fresh.empty()
                                   ? static_cast<const void*>(file_.bytes.data() + known.offset)
                                   : known.fresh.data();
          absl::Status status = sink(key.data(), kKeyBytes);
          if (status.ok()) status = sink(vector, bytes);
          if (!status.ok()) return status;
        }
        return absl::OkStatus();
      });
  if (!written.ok()) return written;
  fresh_ = 0;
  known_.clear();  // they are in the file now
  ReadFile();
  for (auto& [key, known] : known_) known.used = true;
  return absl::OkStatus();
}

}  // namespace emptor::services
