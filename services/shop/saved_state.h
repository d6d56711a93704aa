// What a shop saves with its search index: sums over all records, and a fingerprint of each record,
// by which it finds later what has changed.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "catalog/product_store.h"
#include "retrieval/words/word_state.h"
#include "services/shop/shop_profile.h"

namespace emptor::services {

/// Fingerprint of a stored product, whether it is in the index or in quarantine.
struct RecordFingerprint {
  std::string_view id;
  uint64_t hash = kUnsure;  // of the record in the index, or of an older version

  /// The record was written while the index was saved: it may be in the index or not.
  static constexpr uint64_t kUnsure = 0;
};

struct SavedState {
  ShopProfile profile;  // its currency is not saved: it follows from the counts
  std::unordered_map<std::string, size_t> currency_counts;
  bool knows_image_hosts = true;
  std::string store;  // fingerprint of the store's content that the index shows
  /// Ids ascend; they are views into the bytes that were decoded.
  std::vector<RecordFingerprint> fingerprints;
  std::optional<retrieval::WordState> words = {};  // nothing: not all of them were known
};

/// docs/formats/segment_file.md.
std::string EncodeSavedState(const SavedState& state);

/// Nothing when the bytes are truncated or too long.
std::optional<SavedState> DecodeSavedState(std::string_view bytes);

/// The fingerprints of all products of a store, read while writes go on.
class StoreFingerprints {
 public:
  /// Reads the store. Errors: of the scan.
  static absl::StatusOr<StoreFingerprints> Read(const catalog::ProductStore& store);
  /// All of them; those of `touched`, products written meanwhile, are unsure. Holds views into this
  /// and into `touched`.
  std::vector<RecordFingerprint> Without(const std::set<std::string>& touched) const;

 private:
  std::string ids_;
  struct Fingerprint {
    size_t begin;
    uint64_t hash;
  };
  std::vector<Fingerprint> fingerprints_;  // ids ascend
};

/// What an index with `fingerprints` lacks of the store.
struct StoreDifference {
  std::vector<std::string> changed, removed;  // ids ascend
};
/// Errors: of the scan.
absl::StatusOr<StoreDifference> CompareWithStore(const std::vector<RecordFingerprint>& fingerprints,
                                                 const catalog::ProductStore& store);

}  // namespace emptor::services
