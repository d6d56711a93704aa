// Converts feeds of any encoding to UTF-8.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "catalog/feed/decompressor.h"

namespace emptor::catalog {

/// A push parser. The encoding follows from a byte order mark, from the pattern of UTF-16, from the
/// XML declaration, else from the text: ASCII passes; from the first other byte on up to 64 KiB are
/// buffered, which are UTF-8 if well-formed (or nearly: ten valid characters per invalid one), else
/// in the encoding that ICU's detector finds most likely. UTF-8 passes unchanged; invalid bytes
/// affect only their record. Thread-safety: one thread at a time.
class TextDecoder {
 public:
  explicit TextDecoder(ByteSink sink);
  ~TextDecoder();
  TextDecoder(const TextDecoder&) = delete;
  TextDecoder& operator=(const TextDecoder&) = delete;

  /// Errors: those of the sink; kInvalidArgument for a declared encoding that is not known. An
  /// error stays.
  absl::Status Push(std::string_view bytes);
  absl::Status Finish();
  /// ICU's name; empty until it is known.
  const std::string& encoding() const { return encoding_; }

 private:
  class Converter;
  absl::Status LookAtHead(bool at_end);
  absl::Status LookAtText(bool at_end);
  absl::Status Use(std::string name, std::string_view bytes);
  absl::Status Convert(std::string_view bytes, bool at_end);

  enum class State { kHead, kAscii, kGathering, kUtf8, kConverting };
  const ByteSink sink_;
  State state_ = State::kHead;
  std::string encoding_;
  std::string held_;
  std::unique_ptr<Converter> converter_;
  absl::Status status_;
};

}  // namespace emptor::catalog
