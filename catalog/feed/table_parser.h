// Parser of tabular text: CSV (RFC 4180) with comma, tab, semicolon or bar.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"

namespace emptor::catalog {

/// One record; its views are valid during the call.
struct TableRecord {
  std::vector<std::string_view> cells;  // unquoted
  std::string_view raw;                 // without its line end
  uint64_t line = 0;                    // where it begins, from 1
  uint64_t end_line = 0;
  uint64_t end_offset = 0;        // bytes up to its end
  bool is_last_and_open = false;  // no line end after it: the feed may be truncated
  std::string fault;              // why it cannot be used; then cells may be empty
};

/// A push parser. LF, CR LF and CR end records; quoted cells may hold them, delimiters and doubled
/// quotes. Records without text are skipped. A quote counts only at the beginning of a cell. In
/// tab-delimited text a cell with text after its closing quote is taken literally; elsewhere its
/// record has a fault. A quote that is not closed within kMaxRecordBytes or before the end makes
/// only its first line a faulty record, and reading continues after that line. A longer line is one
/// faulty record. Memory: one record and a slice of input. Thread-safety: one thread at a time.
class TableParser {
 public:
  static constexpr size_t kMaxRecordBytes = 1u << 20;
  using Sink = std::function<absl::Status(const TableRecord&)>;

  /// `delimiter` 0: the most frequent of tab, comma, semicolon and bar in the first line.
  TableParser(char delimiter, Sink sink);

  /// Errors: those of the sink; then every call returns it.
  absl::Status Push(std::string_view bytes);
  /// REQUIRES: called once.
  absl::Status Finish();
  /// 0 until it is known.
  char delimiter() const { return delimiter_; }

 private:
  enum class State { kCellStart, kPlain, kQuoted, kQuoteInQuoted };

  absl::Status Drain(bool at_end);
  bool FindDelimiter(bool at_end);
  bool ScanRecord(bool at_end);
  bool SkipLongLine(bool at_end);
  absl::Status TakeWholeRecord(bool is_open);
  absl::Status TakeFirstLine(std::string fault);
  absl::Status Emit(size_t length, size_t line_end, std::string fault, bool is_open);
  bool SplitCells(std::string_view raw);

  char delimiter_;
  const Sink sink_;
  std::string buffer_;
  size_t start_ = 0;     // of the current record, in buffer_
  size_t scanned_ = 0;   // its end is not before this
  size_t end_ = 0;       // of a whole record, without its line end
  size_t line_end_ = 0;  // bytes of its line end
  State state_ = State::kCellStart;
  bool skipping_ = false;  // the rest of a line that was too long
  std::string long_line_;  // its beginning
  uint64_t line_ = 1;      // of start_
  uint64_t offset_ = 0;    // of start_
  std::string unquoted_;   // storage of the current cells
  TableRecord record_;
  absl::Status status_;
};

/// The delimiter of a table: the most frequent of tab, comma, semicolon and bar outside of quotes
/// in its first line; comma without any.
char GuessDelimiter(std::string_view first_line);

}  // namespace emptor::catalog
