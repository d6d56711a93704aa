// What `emptor ingest` shows of its work.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "catalog/import/import_result.h"

namespace emptor::services {

/// Prints errors as they come (the first 50), a bar with the rate while standard error is a
/// terminal, and the sum. Thread-safety: one thread.
class IngestProgress {
 public:
  explicit IngestProgress(uint64_t total_bytes);

  void Error(const std::string& file, uint64_t line, std::string_view message);
  /// A line to standard error, above the bar.
  void PrintLine(std::string_view text);
  /// So many more bytes of the feeds; `rows` altogether.
  void Advance(uint64_t bytes, uint64_t rows);
  /// Removes the bar and prints the total to standard output.
  void Finish(const catalog::ImportReport& report);

 private:
  void Clear();
  double Seconds() const;

  const std::chrono::steady_clock::time_point begun_;
  const bool is_terminal_;
  const uint64_t total_bytes_;
  uint64_t bytes_ = 0;
  int errors_ = 0;
  bool has_bar_ = false;
};

}  // namespace emptor::services
