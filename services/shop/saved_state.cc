// Encoding, and the comparison of two sorted lists of ids.
#include "services/shop/saved_state.h"

#include <cstdint>
#include <span>
#include <utility>

#include "retrieval/byte_codec.h"
#include "retrieval/segment/word_state_codec.h"

namespace emptor::services {
namespace {

using Counts = std::unordered_map<std::string, size_t>;

void PutCounts(const Counts& counts, retrieval::ByteWriter& out) {
  out.Put(static_cast<uint32_t>(counts.size()));
  for (const auto& [name, count] : counts) {
    out.PutText(name);
    out.Put(static_cast<uint64_t>(count));
  }
}

Counts GetCounts(retrieval::ByteReader& in) {
  Counts counts;
  for (auto n = in.Get<uint32_t>(); n > 0 && in.ok(); --n) {
    std::string name(in.GetText());
    counts[std::move(name)] = static_cast<size_t>(in.Get<uint64_t>());
  }
  return counts;
}

}  // namespace

std::string EncodeSavedState(const SavedState& state) {
  retrieval::ByteWriter out;
  out.Put(static_cast<uint32_t>(state.profile.brands.size()));
  for (const auto& [folded, written] : state.profile.brands) {
    out.PutText(folded);
    out.PutText(written);
  }
  PutCounts(state.profile.languages, out);
  PutCounts(state.currency_counts, out);
  out.PutText(state.store);
  out.Put(static_cast<uint64_t>(state.fingerprints.size()));
  for (const RecordFingerprint& fingerprint : state.fingerprints) {
    out.PutText(fingerprint.id);
    out.Put(fingerprint.hash);
  }
  out.PutText(state.words ? retrieval::EncodeWordState(*state.words) : std::string());
  PutCounts(state.profile.categories, out);
  PutCounts(state.profile.image_hosts, out);
  return out.Take();
}

std::optional<SavedState> DecodeSavedState(std::string_view bytes) {
  retrieval::ByteReader in(std::span(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()));
  SavedState state;
  for (auto n = in.Get<uint32_t>(); n > 0 && in.ok(); --n) {
    std::string folded(in.GetText());
    state.profile.brands[std::move(folded)] = in.GetText();
  }
  state.profile.languages = GetCounts(in);
  state.currency_counts = GetCounts(in);
  state.store = in.GetText();
  for (auto n = in.Get<uint64_t>(); n > 0 && in.ok(); --n) {
    RecordFingerprint& fingerprint = state.fingerprints.emplace_back();
    fingerprint.id = in.GetText();
    fingerprint.hash = in.Get<uint64_t>();
    const bool ascends =
        state.fingerprints.size() == 1 || (state.fingerprints.end() - 2)->id < fingerprint.id;
    if (!ascends) return std::nullopt;
  }
  // Nothing for words of another version: they are read from the records.
  state.words = retrieval::DecodeWordState(in.GetText());
  state.profile.categories = GetCounts(in);
  state.knows_image_hosts = !in.done();  // an earlier build did not save them
  if (state.knows_image_hosts) state.profile.image_hosts = GetCounts(in);
  if (!in.done()) return std::nullopt;
  return state;
}

absl::StatusOr<StoreFingerprints> StoreFingerprints::Read(const catalog::ProductStore& store) {
  StoreFingerprints fingerprints;
  const absl::Status scanned = store.ScanProductHashes([&](std::string_view id, uint64_t hash) {
    fingerprints.fingerprints_.push_back({fingerprints.ids_.size(), hash});
    fingerprints.ids_ += id;
    return true;
  });
  if (!scanned.ok()) return scanned;
  return fingerprints;
}

std::vector<RecordFingerprint> StoreFingerprints::Without(
    const std::set<std::string>& touched) const {
  std::vector<RecordFingerprint> all;
  all.reserve(fingerprints_.size() + touched.size());
  auto next = touched.begin();
  for (size_t i = 0; i < fingerprints_.size(); ++i) {
    const size_t end = i + 1 < fingerprints_.size() ? fingerprints_[i + 1].begin : ids_.size();
    const auto id =
        std::string_view(ids_).substr(fingerprints_[i].begin, end - fingerprints_[i].begin);
    for (; next != touched.end() && *next < id; ++next) all.push_back({*next});
    const bool is_touched = next != touched.end() && *next == id;
    all.push_back({id, is_touched ? RecordFingerprint::kUnsure : fingerprints_[i].hash});
    if (is_touched) ++next;
  }
  for (; next != touched.end(); ++next) all.push_back({*next});
  return all;
}

absl::StatusOr<StoreDifference> CompareWithStore(const std::vector<RecordFingerprint>& fingerprints,
                                                 const catalog::ProductStore& store) {
  StoreDifference difference;
  auto next = fingerprints.begin();
  const absl::Status scanned = store.ScanProductHashes([&](std::string_view id, uint64_t hash) {
    for (; next != fingerprints.end() && next->id < id; ++next) {
      difference.removed.emplace_back(next->id);
    }
    const bool is_held = next != fingerprints.end() && next->id == id;
    const bool is_same = is_held && next->hash == hash && hash != RecordFingerprint::kUnsure;
    if (!is_same) difference.changed.emplace_back(id);
    if (is_held) ++next;
    return true;
  });
  if (!scanned.ok()) return scanned;
  for (; next != fingerprints.end(); ++next) difference.removed.emplace_back(next->id);
  return difference;
}

}  // namespace emptor::services
