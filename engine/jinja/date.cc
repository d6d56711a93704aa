// Passes strftime one known directive at a time.
#include "engine/jinja/date.h"

#include <array>

#include "fmt/format.h"

namespace emptor::engine::jinja {

absl::StatusOr<std::string> FormatDate(std::time_t now, std::string_view format) {
  constexpr size_t kMaxFormat = 256;
  constexpr std::string_view kDirectives = "aAbBdeHIjmMpSyYZzUWwuFTDxXc%";
  if (format.size() > kMaxFormat) {
    return absl::InvalidArgumentError(
        fmt::format("strftime_now: expected at most {} bytes", kMaxFormat));
  }
  std::tm local{};
  localtime_r(&now, &local);
  std::string out;
  for (size_t i = 0; i < format.size(); ++i) {
    if (format[i] != '%') {
      out += format[i];
      continue;
    }
    std::string directive = "%";
    if (format.substr(i + 1).starts_with('-')) directive += format[++i];
    const char kind = i + 1 < format.size() ? format[++i] : '\0';
    if (kDirectives.find(kind) == std::string_view::npos) {
      return absl::InvalidArgumentError(
          fmt::format("strftime_now: %{} is not supported", kind == '\0' ? ' ' : kind));
    }
    directive += kind;
    std::array<char, 128> buffer{};
    out.append(buffer.data(),
               std::strftime(buffer.data(), buffer.size(), directive.c_str(), &local));
  }
  return out;
}

}  // namespace emptor::engine::jinja
