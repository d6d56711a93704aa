// Limits of a record, and the check that every record passes before it is stored.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "absl/status/status.h"
#include "catalog/product.h"

namespace emptor::catalog {

/// Sizes are bytes of UTF-8. A record within them fits one line of a feed (kMaxRecordBytes) and one
/// batch.
struct RecordLimits {
  static constexpr size_t kTitle = 512;
  static constexpr size_t kDescription = 32768;
  static constexpr size_t kDocumentText = 448u << 10;  // every byte may double in JSON
  static constexpr size_t kPages = 2000;
  static constexpr size_t kBrand = 256;
  static constexpr size_t kMpn = 128;
  static constexpr size_t kItemGroupId = 128;
  static constexpr size_t kCategories = 16;
  static constexpr size_t kCategory = 512;
  static constexpr size_t kLink = 2048;
  static constexpr size_t kAdditionalImages = 20;
  static constexpr size_t kAttributes = 256;
  static constexpr size_t kAttributeName = 128;
  static constexpr size_t kAttributeValue = 8192;
  static constexpr size_t kOptions = 16;
  static constexpr size_t kRegionalPrices = 64;
  static constexpr size_t kShipping = 64;
  static constexpr size_t kStock = 512;
  static constexpr size_t kName = 128;  // of a shipping service, of a location
  static constexpr int64_t kMaxCount = 1'000'000'000'000'000;
  static constexpr int64_t kMaxShippingDays = 3650;
  static constexpr size_t kQuarantine = 512;
};

/// Longest JSON text of one record.
inline constexpr size_t kMaxRecordBytes = 1u << 20;

/// True for "http(s)://host..." and for an absolute path "/...", without blanks, quotes, control
/// characters, backslashes or user information.
bool IsValidLink(std::string_view link);

/// True for a BCP 47 tag in form: "en", "en-US", "zh-Hans-CN".
bool IsValidLocale(std::string_view locale);

/// Required: id and title (of a document id, kind, title and text). All text is well-formed UTF-8
/// without control characters (line feeds and tabs are allowed in description, text, attribute and
/// option values). A sale price needs a price of the same currency; a regional price needs a
/// region, or a currency that differs from the price. A review is untrusted. Errors:
/// kInvalidArgument, message `field: what is wrong`.
absl::Status ValidateProduct(const Product& product);
absl::Status ValidateDocument(const Document& document);

}  // namespace emptor::catalog
