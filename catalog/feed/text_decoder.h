// Whatever encoding a feed is in, as UTF-8.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "catalog/feed/unpack.h"

namespace emptor::catalog {

/// A push parser. The encoding is told by a byte order mark, by UTF-16 without one, by the XML
/// declaration, else by the text: ASCII passes on; from the first other byte on up to 64 KiB are
/// gathered, which are UTF-8 when they are well-formed (or nearly: ten sound characters for each
/// broken one), else what ICU's detector holds most likely. Bytes of UTF-8 pass as they are, broken
/// ones too, for they spoil their record alone.
/// Thread-safety: one thread at a time.
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
