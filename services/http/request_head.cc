// The head of one request: request line and header fields, checked by RFC 9112 without leniency.
#include "services/http/request_head.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "services/http/request_target.h"
#include "services/http/syntax.h"

namespace emptor::services {
namespace {

constexpr std::array<std::string_view, 7> kMethods{"GET",   "HEAD",   "POST",   "PUT",
                                                   "PATCH", "DELETE", "OPTIONS"};

Refusal BadRequest(std::string message) {
  return {.status = 400, .code = "bad_request", .message = std::move(message)};
}

bool EqualsIgnoringCase(std::string_view a, std::string_view b) {
  return AsciiLowerCase(a) == AsciiLowerCase(b);
}

/// Calls `visit` with every trimmed element of a comma-separated list, also with empty ones.
template <typename Visit>
void ForEachElement(std::string_view list, Visit visit) {
  for (size_t start = 0;;) {
    const size_t comma = list.find(',', start);
    visit(TrimBlanks(list.substr(start, comma == list.npos ? list.npos : comma - start)));
    if (comma == list.npos) return;
    start = comma + 1;
  }
}

std::optional<Refusal> ParseVersion(std::string_view version, RequestHead& head) {
  const auto digit = [&](size_t at) { return version[at] >= '0' && version[at] <= '9'; };
  if (version.size() != 8 || version.substr(0, 5) != "HTTP/" || version[6] != '.' || !digit(5) ||
      !digit(7))
    return BadRequest("request line: the version is not HTTP/x.y");
  if (version != "HTTP/1.1" && version != "HTTP/1.0")
    return Refusal{505, "version_not_supported", "only HTTP/1.0 and HTTP/1.1 are spoken here"};
  head.minor_version = version.back() - '0';
  return std::nullopt;
}

std::optional<Refusal> ReadContentLength(std::string_view value, RequestHead& head) {
  if (head.content_length) return BadRequest("content-length: sent twice");
  if (!IsDigits(value)) return BadRequest("content-length: expected digits alone");
  size_t length = 0;
  const auto result = std::from_chars(value.data(), value.data() + value.size(), length);
  if (result.ec != std::errc{})
    return Refusal{413, "body_too_large", "content-length: larger than any body"};
  head.content_length = length;
  return std::nullopt;
}

std::optional<Refusal> ReadTransferEncoding(std::string_view value, RequestHead& head) {
  if (head.chunked) return BadRequest("transfer-encoding: sent twice");
  std::vector<std::string> codings;
  ForEachElement(value,
                 [&](std::string_view coding) { codings.push_back(AsciiLowerCase(coding)); });
  const auto named = std::count(codings.begin(), codings.end(), "chunked");
  if (std::count(codings.begin(), codings.end(), "") > 0)
    return BadRequest("transfer-encoding: empty coding");
  if (named > 1 || (named == 1 && codings.back() != "chunked"))
    return BadRequest("transfer-encoding: chunked must come once and last");
  if (codings.size() != 1 || named != 1)
    return Refusal{501, "coding_not_supported", "transfer-encoding: only chunked is understood"};
  head.chunked = true;
  return std::nullopt;
}

std::optional<Refusal> ReadExpect(std::string_view value, RequestHead& head) {
  if (!EqualsIgnoringCase(value, "100-continue"))
    return Refusal{417, "expectation_failed", "expect: only 100-continue is understood"};
  head.expects_continue = head.minor_version >= 1;
  return std::nullopt;
}

void ReadConnection(std::string_view value, bool& close, bool& keep) {
  ForEachElement(value, [&](std::string_view option) {
    if (EqualsIgnoringCase(option, "close")) close = true;
    if (EqualsIgnoringCase(option, "keep-alive")) keep = true;
  });
}

std::optional<Refusal> CheckHost(const std::string* host, const RequestHead& head) {
  if (host == nullptr)
    return head.minor_version == 0 ? std::nullopt : std::make_optional(BadRequest("host: missing"));
  if (!IsAuthority(*host)) return BadRequest("host: not a host with an optional port");
  // By RFC 9112 3.2.2 the target overrides Host. A Host that differs is treated as an attack.
  if (!head.target_authority.empty() && !EqualsIgnoringCase(head.target_authority, *host))
    return BadRequest("request line: the target names another host than Host");
  return std::nullopt;
}

}  // namespace

std::optional<Refusal> ParseRequestLine(std::string_view line, RequestHead& head) {
  const size_t first = line.find(' ');
  const size_t last = line.rfind(' ');
  if (first == line.npos || first == last)
    return BadRequest("request line: expected method, target and version");
  const std::string_view method = line.substr(0, first);
  const std::string_view target = line.substr(first + 1, last - first - 1);
  if (!IsToken(method)) return BadRequest("request line: the method is not a token");
  if (auto refusal = ParseVersion(line.substr(last + 1), head)) return refusal;
  if (std::find(kMethods.begin(), kMethods.end(), method) == kMethods.end())
    return Refusal{501, "method_not_supported", "this method is not known here"};
  head.method = method;
  return ParseTarget(target, head);
}

std::optional<Refusal> ParseFieldLine(std::string_view line, RequestHead& head) {
  if (line.front() == ' ' || line.front() == '\t') return BadRequest("header: folded line");
  const size_t colon = line.find(':');
  if (colon == line.npos) return BadRequest("header: line without a colon");
  const std::string_view name = line.substr(0, colon);
  if (!IsToken(name)) return BadRequest("header: the name is not a token");
  const std::string_view value = TrimBlanks(line.substr(colon + 1));
  if (!IsFieldValue(value)) return BadRequest("header: control character in a value");
  head.headers.emplace_back(AsciiLowerCase(name), value);
  return std::nullopt;
}

Refusal BodyTooLarge(size_t max_bytes) {
  return {.status = 413,
          .code = "body_too_large",
          .message = "the body is larger than " + std::to_string(max_bytes) + " bytes"};
}

std::optional<Refusal> FinishHead(RequestHead& head) {
  const std::string* host = nullptr;
  bool close = false, keep = false;
  for (const auto& [name, value] : head.headers) {
    std::optional<Refusal> refusal;
    if (name == "content-length") {
      refusal = ReadContentLength(value, head);
    } else if (name == "transfer-encoding") {
      refusal = ReadTransferEncoding(value, head);
    } else if (name == "expect") {
      refusal = ReadExpect(value, head);
    } else if (name == "connection") {
      ReadConnection(value, close, keep);
    } else if (name == "content-encoding" && !EqualsIgnoringCase(value, "identity")) {
      refusal = Refusal{415, "encoding_not_supported", "content-encoding: send the body as it is"};
    } else if (name == "host") {
      if (host != nullptr) refusal = BadRequest("host: sent twice");
      host = &value;
    }
    if (refusal) return refusal;
  }
  if (head.chunked && (head.content_length || head.minor_version == 0))
    return BadRequest("transfer-encoding: not together with content-length, nor in HTTP/1.0");
  head.keep_alive = !close && (head.minor_version >= 1 || keep);
  return CheckHost(host, head);
}

}  // namespace emptor::services
