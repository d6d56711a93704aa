// Decodes a chunked request body (RFC 9112 section 7.1).
#include "services/http/chunked_body.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "services/http/syntax.h"

namespace emptor::services {
namespace {

Refusal BadChunk(std::string_view message) {
  return {
      .status = 400, .code = "bad_request", .message = fmt::format("chunked body: {}", message)};
}

}  // namespace

std::optional<Refusal> ChunkedBody::Feed(std::string_view& bytes, BodyBuffer& body) {
  while (!bytes.empty() && stage_ != Stage::kDone) {
    if (stage_ == Stage::kData) {
      const size_t taken = std::min(left_, bytes.size());
      body.Append(bytes.substr(0, taken));
      bytes.remove_prefix(taken);
      left_ -= taken;
      if (left_ == 0) stage_ = Stage::kDataEnd;
      continue;
    }
    // Only a line end may follow the data of a chunk.
    const size_t limit = stage_ == Stage::kDataEnd ? 0 : limits_.max_line_bytes;
    const LineReader::Status status = line_.Feed(bytes, limit);
    if (status == LineReader::Status::kNeedMore) break;
    if (status == LineReader::Status::kBad) return BadChunk("bare line end or control character");
    if (status == LineReader::Status::kTooLong) return BadChunk("line too long");
    std::optional<Refusal> refusal;
    if (stage_ == Stage::kSize) {
      refusal = ReadSize(body.size());
    } else if (stage_ == Stage::kTrailer) {
      refusal = ReadTrailer();
    } else {
      stage_ = Stage::kSize;
    }
    if (refusal) return refusal;
    line_.Reset();
  }
  return std::nullopt;
}

std::optional<Refusal> ChunkedBody::ReadSize(size_t body_bytes) {
  const std::string_view line = line_.line();
  const size_t digits = std::min(line.find(';'), line.size());
  extension_bytes_ += line.size() - digits;
  if (extension_bytes_ > limits_.max_extension_bytes) return BadChunk("too much extension");
  size_t size = 0;
  const auto result = std::from_chars(line.data(), line.data() + digits, size, 16);
  if (digits == 0 || digits > 16 || result.ec != std::errc{} || result.ptr != line.data() + digits)
    return BadChunk("the size is not 1 to 16 hexadecimal digits");
  if (size > limits_.max_body_bytes - std::min(body_bytes, limits_.max_body_bytes))
    return BodyTooLarge(limits_.max_body_bytes);
  left_ = size;
  stage_ = size == 0 ? Stage::kTrailer : Stage::kData;
  return std::nullopt;
}

std::optional<Refusal> ChunkedBody::ReadTrailer() {
  if (line_.empty()) {
    stage_ = Stage::kDone;
    return std::nullopt;
  }
  if (++trailers_ > limits_.max_trailers)
    return Refusal{431, "headers_too_large", "too many trailer fields"};
  RequestHead dropped;
  if (auto refusal = ParseFieldLine(line_.line(), dropped)) return refusal;
  const std::string& name = dropped.headers.front().first;
  if (name == "content-length" || name == "transfer-encoding" || name == "host")
    return BadChunk("a field that frames or routes the message in the trailer");
  return std::nullopt;
}

}  // namespace emptor::services
