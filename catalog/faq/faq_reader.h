// Reads a FAQ file, CSV or JSON lines, row by row. Formats: docs/formats/faq.md.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>

#include "absl/status/status.h"
#include "catalog/faq/faq_entry.h"

namespace emptor::catalog {

enum class FaqFormat { kAuto, kCsv, kJsonl };

/// One row of a file: an entry, or why it is none.
struct FaqRow {
  uint64_t line = 0;    // where it begins, from 1
  absl::Status status;  // kInvalidArgument: "field: what is wrong, what was found"
  FaqEntry entry;       // not checked yet; its id is empty where the row names none
};

/// A push parser. gzip and zstd are decompressed and other encodings become UTF-8, as of feeds.
/// Rows without text are skipped. Memory: one row and a slice of input. Thread-safety: one thread
/// at a time.
class FaqReader {
 public:
  using Sink = std::function<absl::Status(FaqRow&&)>;

  /// kAuto: JSON lines where the first character is `{`, else CSV.
  FaqReader(FaqFormat format, Sink sink);
  ~FaqReader();
  FaqReader(const FaqReader&) = delete;
  FaqReader& operator=(const FaqReader&) = delete;

  /// Errors: those of the sink; kInvalidArgument where the file cannot be read at all (damaged
  /// compression, a CSV whose first line lacks a column or names an unknown one). An error stays.
  absl::Status Push(std::string_view bytes);
  /// REQUIRES: called once.
  absl::Status Finish();

 private:
  struct Impl;
  const std::unique_ptr<Impl> impl_;
};

}  // namespace emptor::catalog
