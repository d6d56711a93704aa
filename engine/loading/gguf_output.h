// A GGUF file that is being written: a temporary file, renamed when it is complete.
#pragma once

#include <cstdint>
#include <fstream>
#include <string>

#include "absl/status/status.h"

namespace emptor::engine {

/// Writes `path`.part; what is not finished is removed. Failures show in good() and in Finish.
/// Thread-safety: one user at a time.
class GgufOutput {
 public:
  explicit GgufOutput(const std::string& path);
  ~GgufOutput();
  GgufOutput(const GgufOutput&) = delete;
  GgufOutput& operator=(const GgufOutput&) = delete;

  void Write(const void* data, uint64_t bytes);
  /// Zeros up to where a tensor may begin.
  void Align();
  uint64_t written() const { return written_; }
  bool good() const { return file_.good(); }

  /// Renames the file to its path. Errors: kUnavailable (it cannot be written; no file is left).
  absl::Status Finish();

 private:
  std::string path_, unfinished_;
  std::ofstream file_;
  uint64_t written_ = 0;
  bool finished_ = false;
};

}  // namespace emptor::engine
