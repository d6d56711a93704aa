// Directives between commas.
#include "services/api/cache_directives.h"

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_split.h"

namespace emptor::services {

CacheControl CacheControlOf(std::string_view header) {
  CacheControl control = CacheControl::kUse;
  for (absl::string_view part :
       absl::StrSplit(absl::string_view(header.data(), header.size()), ',')) {
    part = absl::StripAsciiWhitespace(part);
    if (absl::EqualsIgnoreCase(part, "no-store")) return CacheControl::kNoStore;
    const bool is_fresh =
        absl::EqualsIgnoreCase(part, "no-cache") || absl::EqualsIgnoreCase(part, "max-age=0");
    if (is_fresh) control = CacheControl::kNoCache;
  }
  return control;
}

}  // namespace emptor::services
