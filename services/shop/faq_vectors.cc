// A log of records: read whole at the start, appended to afterwards.
#include "services/shop/faq_vectors.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <utility>

#include "catalog/encoding/hash64.h"

namespace emptor::services {
namespace {

constexpr std::string_view kMagic = "EMPFAQV1";
constexpr uint64_t kOtherSeed = 1;  // of the second half of a key

template <typename Value>
std::string Bytes(const Value& value) {
  return {reinterpret_cast<const char*>(&value), sizeof(value)};
}

}  // namespace

FaqVectors::FaqVectors(std::string path, const retrieval::Embedder& inner)
    : path_(std::move(path)), inner_(inner) {
  Load();
}

FaqVectors::Key FaqVectors::KeyOf(const std::string& text) {
  return {catalog::Hash64(text), catalog::Hash64(text, kOtherSeed)};
}

std::string FaqVectors::Head() const {
  return std::string(kMagic) +
         Bytes(catalog::Hash64(inner_.model_id() + '\n' + std::to_string(dimension())));
}

std::string FaqVectors::Record(const Key& key, std::span<const float> vector) const {
  std::string record = Bytes(key);
  record.append(reinterpret_cast<const char*>(vector.data()), vector.size_bytes());
  return record + Bytes(catalog::Hash64(record));
}

void FaqVectors::Load() {
  std::ifstream file(path_, std::ios::binary);
  std::string head(Head().size(), '\0');
  file.read(head.data(), static_cast<std::streamsize>(head.size()));
  if (!file || head != Head()) return Begin();
  const auto size = static_cast<size_t>(dimension());
  std::vector<float> vector(size);
  std::string record = Record({}, vector);
  uint64_t whole = head.size();
  while (file.read(record.data(), static_cast<std::streamsize>(record.size()))) {
    Key key;
    std::memcpy(key.data(), record.data(), sizeof(key));
    std::memcpy(vector.data(), record.data() + sizeof(key), size * sizeof(float));
    if (Record(key, vector) != record) break;
    known_[key] = {vector, false};
    ++records_;
    whole += record.size();
  }
  file.close();
  std::error_code error;
  std::filesystem::resize_file(path_, whole, error);  // without what a kill has cut
  if (error) Begin();
}

void FaqVectors::Begin() const {
  std::error_code error;
  std::filesystem::remove(path_, error);
  records_ = 0;
}

/// A cache that cannot be written costs time at the next start, no more.
void FaqVectors::Append(const std::string& bytes) const {
  if (bytes.empty()) return;
  const bool is_new = !std::filesystem::exists(path_);
  std::ofstream file(path_, std::ios::binary | std::ios::app);
  if (is_new) file << Head();
  file << bytes;
}

absl::Status FaqVectors::EmbedInto(std::span<const std::string> texts, std::span<float> out) const {
  const auto size = static_cast<size_t>(dimension());
  std::vector<std::string> missing;
  std::vector<size_t> places;
  for (size_t i = 0; i < texts.size(); ++i) {
    const auto known = known_.find(KeyOf(texts[i]));
    if (known == known_.end()) {
      missing.push_back(texts[i]);
      places.push_back(i);
      continue;
    }
    known->second.is_used = true;
    std::copy(known->second.vector.begin(), known->second.vector.end(),
              out.begin() + static_cast<std::ptrdiff_t>(i * size));
  }
  if (missing.empty()) return absl::OkStatus();
  std::vector<float> vectors(missing.size() * size);
  if (absl::Status status = inner_.EmbedInto(missing, vectors); !status.ok()) return status;
  std::string appended;
  for (size_t i = 0; i < missing.size(); ++i) {
    const std::span<const float> vector = std::span(vectors).subspan(i * size, size);
    std::copy(vector.begin(), vector.end(),
              out.begin() + static_cast<std::ptrdiff_t>(places[i] * size));
    if (records_ >= kMaxRecords) continue;
    appended += Record(KeyOf(missing[i]), vector);
    ++records_;
  }
  Append(appended);
  return absl::OkStatus();
}

void FaqVectors::EndLoading() {
  size_t used = 0;
  for (const auto& [key, known] : known_) used += known.is_used ? 1 : 0;
  if (used * 2 < known_.size()) {
    std::string kept;
    for (const auto& [key, known] : known_) {
      if (known.is_used) kept += Record(key, known.vector);
    }
    Begin();
    records_ = used;
    Append(kept);
  }
  known_.clear();
}

}  // namespace emptor::services
