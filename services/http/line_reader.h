// Collects one CRLF-ended line from bytes that may be cut anywhere.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace emptor::services {

/// Reads one line at a time and refuses bytes that no HTTP line may contain as soon as they come.
/// Cost: linear in the bytes fed, however they are cut.
class LineReader {
 public:
  enum class Status {
    kNeedMore,
    kLine,     // line() is complete, without its CRLF
    kBad,      // bare CR, bare LF or a control character
    kTooLong,  // more than `limit` bytes and no end
  };

  /// Consumes bytes from the front of `bytes`, up to and including the end of the line.
  Status Feed(std::string_view& bytes, size_t limit);

  const std::string& line() const { return line_; }
  bool empty() const { return line_.empty(); }

  /// Starts the next line.
  void Reset() { line_.clear(); }

 private:
  std::string line_;  // with its CR until the LF comes
};

}  // namespace emptor::services
