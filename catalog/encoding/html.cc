// Characters that HTML takes for its own.
#include "catalog/encoding/html.h"

namespace emptor::catalog {

std::string EscapeHtml(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '&') {
      escaped += "&amp;";
    } else if (c == '<') {
      escaped += "&lt;";
    } else if (c == '>') {
      escaped += "&gt;";
    } else if (c == '"') {
      escaped += "&quot;";
    } else if (c == '\'') {
      escaped += "&#39;";
    } else if (byte < 0x20 && c != '\n' && c != '\t') {
      escaped += "\xef\xbf\xbd";
    } else {
      escaped += c;
    }
  }
  return escaped;
}

}  // namespace emptor::catalog
