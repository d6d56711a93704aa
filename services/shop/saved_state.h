// What a shop keeps with its saved index beside the index: sums over all records, and by what it
// tells later which of them have changed.
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
#include "services/shop/shop.h"

namespace emptor::services {

/// A product of the store, whether the index shows it or not.
struct RecordFingerprint {
  std::string_view id;
  uint64_t hash = kUnsure;  // of the record that the index holds, or an older one

  /// The index may hold another record than the one that was looked at.
  static constexpr uint64_t kUnsure = 0;
};

struct SavedState {
  ShopProfile profile;  // without its currency, which follows from the counts
  std::unordered_map<std::string, size_t> currency_counts;
  std::string store;  // names the store's content if it was as the index shows it
  std::vector<RecordFingerprint>
      fingerprints;  // ids ascend; views into the bytes that were decoded
  std::optional<retrieval::WordState> words = {};  // nothing: they were not known whole
};

/// docs/formats/segment_file.md.
std::string EncodeSavedState(const SavedState& state);

/// Nothing when the bytes are cut or something is left over.
std::optional<SavedState> DecodeSavedState(std::string_view bytes);

/// The fingerprints of a store, gathered while writers go on.
class StoreFingerprints {
 public:
  /// Reads the store. Errors: of the scan.
  static absl::StatusOr<StoreFingerprints> Read(const catalog::ProductStore& store);
  /// All of them; those of `touched`, which may have changed while they were read, are unsure.
  /// Views into this and into `touched`.
  std::vector<RecordFingerprint> Without(const std::set<std::string>& touched) const;

 private:
  std::string ids_;
  struct Fingerprint {
    size_t begin;
    uint64_t hash;
  };
  std::vector<Fingerprint> fingerprints_;  // ids ascend
};

/// What an index of `fingerprints` has to take to show what the store holds.
struct StoreDifference {
  std::vector<std::string> changed, removed;  // ids ascend
};
/// Errors: of the scan.
absl::StatusOr<StoreDifference> CompareWithStore(const std::vector<RecordFingerprint>& fingerprints,
                                                 const catalog::ProductStore& store);

}  // namespace emptor::services
