// Reads feeds in the formats that shops export, as a stream.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "catalog/feed/amount.h"
#include "catalog/feed/feed_row.h"

namespace emptor::catalog {

enum class FeedFormat {
  kAuto,        // by content
  kJsonl,       // docs/formats/catalog_jsonl.md, and ACP's products.jsonl
  kGoogleTsv,   // Google Merchant, tab-delimited
  kGoogleXml,   // RSS 2.0 and Atom 1.0 with the g: namespace
  kShopifyCsv,  // product export, rows grouped by handle
  kJsonLd,      // schema.org, alone or inside HTML
  kCsv,         // plain, OpenAI's and Stripe's, by a column mapping
};
/// Names of the command line: "auto", "jsonl", "google-tsv", "google-xml", "shopify-csv", "jsonld",
/// "csv".
std::string_view ToString(FeedFormat format);
std::optional<FeedFormat> ParseFeedFormat(std::string_view name);

/// One column of a plain CSV: {"Artikelname", "title"}. A column may appear several times.
struct ColumnMapping {
  std::string column;
  std::string field;           // as FieldOfMapping reads it: "title", "attributes.<name>"
  std::string unit = {};       // of bare numbers: "1,7" is "1,7 l"; of amounts the currency
  std::string separator = {};  // splits a cell into values
};

/// Value of a field in rows where no column sets it.
struct ConstantField {
  std::string field;
  std::string value = {};
};

/// Meaning of a market of a Shopify export. A market of several regions has one entry for each.
struct MarketName {
  std::string market;    // "Canada", of the column "Price / Canada"
  std::string region;    // ISO 3166-1 alpha-2; empty: everywhere, in that currency
  std::string currency;  // of its prices
};

struct FeedOptions {
  FeedFormat format = FeedFormat::kAuto;
  std::vector<ColumnMapping> columns = {};           // kCsv; empty: by the names of the columns
  std::vector<ConstantField> constants = {};         // of tables
  std::vector<MarketName> markets = {};              // of Shopify's exports
  char delimiter = 0;                                // of tables; 0: by the first line
  DecimalMark decimal_mark = DecimalMark::kUnknown;  // of amounts; unknown: by the locale
  std::string currency = {};  // of amounts that name none; empty: such an amount cannot be read
  std::string locale = {};    // of records that name none; also the source of the decimal mark
  /// Rows are changes: each gives a ProductPatch of the fields that it has.
  bool patches = false;
  /// A row of which a part would be repaired or left out is unusable.
  bool strict = false;
};

/// Takes each row in the order of the feed. An error ends the reading.
using RowSink = std::function<absl::Status(FeedRow&&)>;

/// A push parser: Push bytes in pieces of any size, then Finish. gzip and zstd are decompressed,
/// encodings converted. Memory: one record, bounded; no format is read whole. Thread-safety: one
/// thread at a time.
class FeedReader {
 public:
  virtual ~FeedReader() = default;

  /// Errors: those of the sink; kInvalidArgument when the rest of the feed cannot be read (XML with
  /// a document type declaration), with line and reason: the rows before it remain valid. After an
  /// error every call returns it.
  virtual absl::Status Push(std::string_view bytes) = 0;
  /// The last row. REQUIRES: called once. Errors: as Push.
  virtual absl::Status Finish() = 0;
  /// The detected format; kAuto until enough bytes were read.
  virtual FeedFormat format() const = 0;
  /// Text that must precede and follow the raw bytes of rows so that they can be read again: the
  /// header of a CSV file; the element around the items of an XML file, with its namespaces.
  virtual std::string_view preamble() const { return {}; }
  virtual std::string_view postamble() const { return {}; }
  /// Warnings about the feed as a whole, each once: `line 3: the prefix "g" is not bound to a
  /// namespace: ...`.
  virtual std::vector<std::string> notes() const { return {}; }
  /// ICU's name of the encoding of the feed; empty until it is known. Raw bytes of rows are always
  /// UTF-8.
  virtual std::string_view encoding() const { return {}; }
};

std::unique_ptr<FeedReader> MakeFeedReader(const FeedOptions& options, RowSink sink);

}  // namespace emptor::catalog
