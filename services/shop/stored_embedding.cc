// A header of 24 bytes, then the floats.
#include "services/shop/stored_embedding.h"

#include <bit>
#include <cstring>
#include <unordered_map>

#include "catalog/encoding/fnv.h"

namespace emptor::services {
namespace {

static_assert(std::endian::native == std::endian::little);

constexpr uint32_t kMagic = 0x31564545;  // "EEV1"

struct Head {
  uint32_t magic;
  uint32_t dimension;
  uint64_t model_hash;
  uint64_t text_hash;
};
static_assert(sizeof(Head) == 24);

}  // namespace

std::string EncodeStoredEmbedding(std::string_view model_id, std::string_view text,
                                  std::span<const float> vector) {
  const Head head{kMagic, static_cast<uint32_t>(vector.size()), catalog::Fnv1a64(model_id),
                  catalog::Fnv1a64(text)};
  std::string entry(sizeof head + vector.size_bytes(), '\0');
  std::memcpy(entry.data(), &head, sizeof head);
  if (!vector.empty()) std::memcpy(entry.data() + sizeof head, vector.data(), vector.size_bytes());
  return entry;
}

std::optional<std::vector<float>> DecodeStoredEmbedding(std::string_view entry,
                                                        std::string_view model_id,
                                                        std::string_view text, int dimension) {
  const size_t floats = static_cast<size_t>(dimension);
  if (entry.size() != sizeof(Head) + floats * sizeof(float)) return std::nullopt;
  Head head;
  std::memcpy(&head, entry.data(), sizeof head);
  const bool fits = head.magic == kMagic && head.dimension == floats &&
                    head.model_hash == catalog::Fnv1a64(model_id) &&
                    head.text_hash == catalog::Fnv1a64(text);
  if (!fits) return std::nullopt;
  std::vector<float> vector(floats);
  std::memcpy(vector.data(), entry.data() + sizeof head, floats * sizeof(float));
  return vector;
}

std::string EncodeStoredEmbeddings(std::string_view model_id, std::span<const std::string> texts,
                                   std::span<const std::vector<float>> vectors) {
  std::string entries;
  for (size_t i = 0; i < texts.size(); ++i) {
    entries += EncodeStoredEmbedding(model_id, texts[i], vectors[i]);
  }
  return entries;
}

std::vector<std::optional<std::vector<float>>> FindStoredEmbeddings(
    std::string_view entry, std::string_view model_id, std::span<const std::string> texts,
    int dimension) {
  const size_t size = sizeof(Head) + static_cast<size_t>(dimension) * sizeof(float);
  std::unordered_map<uint64_t, std::string_view> by_text;
  if (entry.size() % size != 0) entry = {};
  for (; !entry.empty(); entry.remove_prefix(size)) {
    Head head;
    std::memcpy(&head, entry.data(), sizeof head);
    by_text.emplace(head.text_hash, entry.substr(0, size));
  }
  std::vector<std::optional<std::vector<float>>> vectors;
  for (const std::string& text : texts) {
    const auto known = by_text.find(catalog::Fnv1a64(text));
    const std::string_view one = known == by_text.end() ? std::string_view() : known->second;
    vectors.push_back(DecodeStoredEmbedding(one, model_id, text, dimension));
  }
  return vectors;
}

}  // namespace emptor::services
