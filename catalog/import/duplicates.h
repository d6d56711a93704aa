// Finds products that are the same article under different ids: by GTIN, then by part number and
// brand.
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
/// for numbers that identify no article: zeros, and those of GS1 prefixes 02, 04, 2 (for use within
/// a store) and 98, 99 (coupons). Source: GS1 General Specifications, sections 1.4 (prefixes)
/// and 7.9 (check digit).
std::optional<std::string> NormalizeGtin(std::string_view text);

/// Keys that are equal for the same article; an empty key equals none. Both include condition and
/// language: a used item or a translated listing is another offer.
struct ArticleKeys {
  std::string gtin;  // of the normalised GTIN
  /// Of brand and part number, reduced to lower-case letters and digits; empty if either is missing
  /// or a placeholder ("n/a", "unbranded").
  std::string part;
};
ArticleKeys MakeArticleKeys(const Product& product);

/// The fields of the product that identify its article.
Product ArticleOf(const Product& product);

/// The field by which two products are the same: "gtin", or "mpn" where not both have a GTIN; empty
/// when they differ. Within one group an equal part number is ignored: they are variants.
std::string_view FindSameness(const Product& a, const Product& b);

/// Looks up the current state of a product; nothing if there is none, or it does not count.
using ProductFinder = std::function<absl::StatusOr<std::optional<Product>>(const std::string& id)>;

/// Products by their article keys. It only grows and may hold products that have changed or been
/// deleted, so callers check the record. Writers only add; when many entries are stale (compare
/// size() with the store) building a new index is cheaper. At most 64 products per key are kept.
/// About 30 bytes an entry. Thread-safety: any thread.
class DuplicateIndex {
 public:
  void Add(const Product& product);
  /// Adds all products of a store. Writers add those written meanwhile. Errors: of the scan.
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
