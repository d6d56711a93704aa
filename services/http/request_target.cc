// The target of a request line.
#include "services/http/request_target.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "services/http/syntax.h"

namespace emptor::services {
namespace {

Refusal BadTarget(std::string_view message) {
  return {.status = 400, .code = "bad_target", .message = fmt::format("target: {}", message)};
}

/// Visible ASCII without the delimiters that no URI contains. Browsers send the few others that
/// RFC 3986 excludes (such as '|') unescaped, so these pass.
bool IsTargetText(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) {
    return c > 0x20 && c < 0x7f && c != '"' && c != '<' && c != '>' && c != '#';
  });
}

bool HasDotSegment(std::string_view path) {
  for (size_t start = 0; start <= path.size();) {
    const size_t slash = std::min(path.find('/', start), path.size());
    const std::string_view segment = path.substr(start, slash - start);
    if (segment == "." || segment == "..") return true;
    start = slash + 1;
  }
  return false;
}

/// Splits "http://authority/rest" into the head's authority and an origin-form rest.
/// False if the target has no supported form.
bool TakeAuthority(std::string_view& target, RequestHead& head) {
  const size_t colon = target.find("://");
  if (colon == target.npos) return false;
  const std::string scheme = AsciiLowerCase(target.substr(0, colon));
  if (scheme != "http" && scheme != "https") return false;
  target.remove_prefix(colon + 3);
  const size_t end = std::min(target.find_first_of("/?"), target.size());
  head.target_authority = target.substr(0, end);
  target.remove_prefix(end);
  return IsAuthority(head.target_authority);
}

std::optional<Refusal> DecodePath(std::string_view path, RequestHead& head) {
  const auto decoded = PercentDecode(path, false);
  if (!decoded) return BadTarget("broken escape or text that is not UTF-8");
  const bool odd = std::any_of(decoded->begin(), decoded->end(), [](char c) {
    return static_cast<unsigned char>(c) < 0x20 || c == 0x7f || c == '\\';
  });
  if (odd) return BadTarget("control character or backslash in the path");
  if (HasDotSegment(*decoded)) return BadTarget("dot segment in the path");
  head.path = *decoded;
  return std::nullopt;
}

std::optional<Refusal> DecodeQuery(std::string_view query, RequestHead& head) {
  while (!query.empty()) {
    const size_t end = std::min(query.find('&'), query.size());
    const std::string_view pair = query.substr(0, end);
    query.remove_prefix(std::min(end + 1, query.size()));
    if (pair.empty()) continue;
    const size_t equals = std::min(pair.find('='), pair.size());
    auto name = PercentDecode(pair.substr(0, equals), true);
    auto value = PercentDecode(pair.substr(std::min(equals + 1, pair.size())), true);
    if (!name || !value) return BadTarget("broken escape or text that is not UTF-8 in the query");
    if (head.query.size() == kMaxQueryParameters) return BadTarget("too many query parameters");
    head.query.emplace_back(std::move(*name), std::move(*value));
  }
  return std::nullopt;
}

}  // namespace

std::optional<Refusal> ParseTarget(std::string_view target, RequestHead& head) {
  if (target.empty()) return BadTarget("empty");
  if (!IsTargetText(target)) return BadTarget("character that must be escaped");
  if (target == "*" && head.method == "OPTIONS") {
    head.path = std::string(target);
    return std::nullopt;
  }
  if (target.front() != '/' && !TakeAuthority(target, head))
    return BadTarget("expected a path or an http URL");
  const size_t question = std::min(target.find('?'), target.size());
  const std::string_view path = target.substr(0, question);
  if (auto refusal = DecodePath(path.empty() ? "/" : path, head)) return refusal;
  return DecodeQuery(target.substr(std::min(question + 1, target.size())), head);
}

}  // namespace emptor::services
