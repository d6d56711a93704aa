// gzip through zlib.
#include "services/api/gzip.h"

#include <zlib.h>

#include <cassert>
#include <optional>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "services/api/field_weight.h"

namespace emptor::services {
namespace {

constexpr int kGzipWindow = 15 + 16;  // of zlib: 32 KiB, with the header of gzip
constexpr int kMemoryLevel = 9;

}  // namespace

std::string Gzip(std::string_view bytes) {
  z_stream stream{};
  const int begun = deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, kGzipWindow, kMemoryLevel,
                                 Z_DEFAULT_STRATEGY);
  assert(begun == Z_OK);
  std::string out(deflateBound(&stream, bytes.size()), '\0');
  // zlib does not write to its input.
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  const int ended = deflate(&stream, Z_FINISH);
  assert(ended == Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  static_cast<void>(begun);
  static_cast<void>(ended);
  return out;
}

bool AcceptsGzip(std::string_view accept_encoding) {
  std::optional<bool> any;
  const absl::string_view field(accept_encoding.data(), accept_encoding.size());
  for (const absl::string_view part : absl::StrSplit(field, ',')) {
    const std::pair<absl::string_view, absl::string_view> coding =
        absl::StrSplit(part, absl::MaxSplits(';', 1));
    const absl::string_view name = absl::StripAsciiWhitespace(coding.first);
    const bool is_taken =
        WeightOf(std::string_view(coding.second.data(), coding.second.size())) > 0;
    if (absl::EqualsIgnoreCase(name, "gzip")) return is_taken;
    if (name == "*") any = is_taken;
  }
  return any.value_or(false);
}

}  // namespace emptor::services
