// Which products are the same article under two ids: by GTIN, then by part number and brand.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "catalog/product.h"
#include "catalog/product_store.h"

namespace emptor::catalog {

/// 14 digits of a GTIN-8, -12, -13 or -14 whose check digit is right. Nothing for other text and
/// for numbers that name no article in particular: zeros, and those of GS1 prefixes 02, 04, 2 (for
/// use within a store) and 98, 99 (coupons). Source: GS1 General Specifications, sections 1.4
/// (prefixes) and 7.9 (check digit).
std::optional<std::string> NormalizeGtin(std::string_view text);

/// What makes a product the same article as another; equal in none that is empty. Both hold the
/// condition and the language, for a used one, or a translated listing, is another offer.
struct ArticleKeys {
  std::string gtin;  // of the normalised GTIN
  /// Of brand and part number, in lower-case letters and digits alone; empty where either says
  /// nothing ("n/a", "unbranded").
  std::string part;
};
ArticleKeys MakeArticleKeys(const Product& product);

/// The product without what does not concern its article: small enough to be kept.
Product ArticleOf(const Product& product);

/// The field by which two products are the same: "gtin", or "mpn" where not both have a GTIN; empty
/// when they differ. Of one group, an equal part number tells nothing: they are its variants.
std::string_view FindSameness(const Product& a, const Product& b);

/// Looks a product up as it is now; nothing when there is none, or none that counts.
using ProductFinder = std::function<absl::StatusOr<std::optional<Product>>(const std::string& id)>;

/// Products by their article keys. It only grows and may name products that have changed or gone:
/// whoever asks looks at the record. So writers add and nothing needs to be taken out; when many
/// entries are stale (compare size() with the store) a new one is cheaper. Of one key the first 64
/// products are known. About 30 bytes an entry.
/// Thread-safety: any thread.
class DuplicateIndex {
 public:
  void Add(const Product& product);
  /// All of a store. Those that are written meanwhile are added by their writers. Errors: of the
  /// scan.
  absl::Status AddAll(const ProductStore& store);

  struct Match {
    std::string id;
    std::string field;  // FindSameness
  };
  /// Another product that is the same article: the first by GTIN, else the first by part number.
  /// Errors: of `find`.
  absl::StatusOr<std::optional<Match>> Find(const Product& product,
                                            const ProductFinder& find) const;

  size_t size() const;

 private:
  std::vector<std::string> IdsOf(std::string_view key) const;
  void AddKey(std::string_view key, std::string_view id);

  struct Entry {
    uint32_t next;  // entry of the same hash, or kEnd
    uint32_t id;    // begin in ids_
  };
  static constexpr uint32_t kEnd = UINT32_MAX;

  mutable std::mutex mutex_;
  /// Hash of a key -> its first entry. Guarded by mutex_, as what follows.
  absl::flat_hash_map<uint64_t, uint32_t> first_;
  std::vector<Entry> entries_;
  std::string ids_;  // each ends with a zero byte
};

}  // namespace emptor::catalog
