// Filter objects are refused, or written such that they read back equal.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "services/api/filter_codec.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace emptor;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
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
