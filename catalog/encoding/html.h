// Text inside of HTML.
#pragma once

#include <string>
#include <string_view>

namespace emptor::catalog {

/// For text and attribute values of HTML and XML; control characters that XML lacks become U+FFFD.
/// Pure.
std::string EscapeHtml(std::string_view text);

}  // namespace emptor::catalog
