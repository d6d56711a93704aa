// Decodes a chunked request body (RFC 9112 section 7.1) as its bytes arrive.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "services/http/body_buffer.h"
#include "services/http/line_reader.h"
#include "services/http/request_head.h"

namespace emptor::services {

/// Decodes one chunked body. Chunk extensions and trailer fields are checked and dropped.
/// Invariant: holds no more than the decoded body and one line.
class ChunkedBody {
 public:
  struct Limits {
    size_t max_body_bytes = 1 << 20;
    size_t max_line_bytes = 1024;       // of a chunk-size or trailer line
    size_t max_extension_bytes = 4096;  // of all chunk extensions together
    int max_trailers = 16;
  };

  explicit ChunkedBody(Limits limits) : limits_(limits) {}

  /// Consumes bytes from the front of `bytes` and appends the decoded ones to `body`. Refuses: 400
  /// (framing), 413 (size), 431 (trailers). Consumes nothing once done().
  std::optional<Refusal> Feed(std::string_view& bytes, BodyBuffer& body);

  bool done() const { return stage_ == Stage::kDone; }

 private:
  enum class Stage { kSize, kData, kDataEnd, kTrailer, kDone };

  std::optional<Refusal> ReadSize(size_t body_bytes);
  std::optional<Refusal> ReadTrailer();

  Limits limits_;
  Stage stage_ = Stage::kSize;
  LineReader line_;
  size_t left_ = 0;  // bytes of the present chunk still to come
  size_t extension_bytes_ = 0;
  int trailers_ = 0;
};

}  // namespace emptor::services
