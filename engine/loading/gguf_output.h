// A GGUF file in the making: written beside its place and renamed when it is complete.
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

  /// Gives the file its name. Errors: kUnavailable (it cannot be written; nothing is left of it).
  absl::Status Finish();

 private:
  std::string path_, unfinished_;
  std::ofstream file_;
  uint64_t written_ = 0;
  bool finished_ = false;
};

}  // namespace emptor::engine
