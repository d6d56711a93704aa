// The target of a request line: its forms, and how path and query are decoded.
#pragma once

#include <optional>
#include <string_view>

#include "services/http/request_head.h"

namespace emptor::services {

/// Largest number of query parameters of one target.
inline constexpr int kMaxQueryParameters = 128;

/// Reads origin-form, absolute-form (http and https) or, for OPTIONS, "*" into `head`.
/// Refuses 400: a character outside RFC 3986, a broken escape, a control character, backslash or
/// dot segment in the decoded path, text that is not UTF-8, more than kMaxQueryParameters. Pure.
std::optional<Refusal> ParseTarget(std::string_view target, RequestHead& head);

}  // namespace emptor::services
