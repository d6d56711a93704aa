// Filter objects are refused, or written such that they read back equal; cursors are refused.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "services/api/filter_codec.h"
#include "services/api/search_cursor.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace emptor;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  // A text with a right checksum reads back equal; none is found by chance.
  const std::string_view sealed = text.substr(0, services::kMaxCursorTextBytes);
  const auto cursor = services::DecodeSearchCursor(sealed, 0);
  if (cursor.ok() && services::EncodeSearchCursor(*cursor) != sealed) std::abort();
  const auto json = catalog::ParseJson(text);
  if (!json.ok()) return 0;
  const auto read = services::FilterFromJson(*json, "filters");
  if (!read.ok()) return 0;
  catalog::JsonWriter writer;
  services::WriteFilter(read->filter, writer);
  const auto again = services::FilterFromJson(*catalog::ParseJson(writer.text()), "filters");
  if (!again.ok()) std::abort();
  catalog::JsonWriter second;
  services::WriteFilter(again->filter, second);
  if (second.text() != writer.text()) std::abort();
  return 0;
}
