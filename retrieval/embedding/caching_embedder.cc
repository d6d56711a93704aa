// An LRU list, and an index of its entries by query.
#include "retrieval/embedding/caching_embedder.h"

#include <algorithm>
#include <list>
#include <mutex>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace emptor::retrieval {
namespace {

struct Entry {
  std::string query;
  std::vector<float> vector;
};

}  // namespace

struct CachingEmbedder::Impl {
  const Embedder& inner;
  const size_t capacity;
  std::mutex mutex;
  std::list<Entry> entries;  // most recently used first; guarded by mutex
  /// Keys are views into the entries. Guarded by mutex.
  std::unordered_map<std::string_view, std::list<Entry>::iterator> places;

  bool Find(const std::string& query, std::span<float> out) {
    const std::lock_guard lock(mutex);
    const auto found = places.find(query);
    if (found == places.end()) return false;
    entries.splice(entries.begin(), entries, found->second);
    std::copy(found->second->vector.begin(), found->second->vector.end(), out.begin());
    return true;
  }
  void Keep(const std::string& query, std::span<const float> vector) {
    const std::lock_guard lock(mutex);
    if (places.contains(query)) return;
    entries.push_front({query, {vector.begin(), vector.end()}});
    places[entries.front().query] = entries.begin();
    if (entries.size() <= capacity) return;
    places.erase(entries.back().query);
    entries.pop_back();
  }
};

CachingEmbedder::CachingEmbedder(const Embedder& inner, size_t capacity)
    : impl_(new Impl{
          .inner = inner, .capacity = capacity, .mutex = {}, .entries = {}, .places = {}}) {}
CachingEmbedder::~CachingEmbedder() = default;
int CachingEmbedder::dimension() const { return impl_->inner.dimension(); }
const std::string& CachingEmbedder::model_id() const { return impl_->inner.model_id(); }
bool CachingEmbedder::is_slow() const { return impl_->inner.is_slow(); }

absl::Status CachingEmbedder::EmbedInto(std::span<const std::string> texts,
                                        std::span<float> out) const {
  return impl_->inner.EmbedInto(texts, out);
}

absl::Status CachingEmbedder::EmbedQueryInto(const std::string& query, std::span<float> out) const {
  const bool fits = out.size() == static_cast<size_t>(dimension());
  if (fits && impl_->Find(query, out)) return absl::OkStatus();
  absl::Status status = impl_->inner.EmbedQueryInto(query, out);
  if (status.ok()) impl_->Keep(query, out);
  return status;
}

}  // namespace emptor::retrieval
