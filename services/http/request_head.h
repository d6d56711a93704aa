// The head of one request: request line and header fields, checked by RFC 9112 without leniency.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace emptor::services {

/// Why a request is not served. `code` is the `code` of the error body.
struct Refusal {
  int status = 0;
  std::string code;
  std::string message;
};

/// The refusal of a body of more than `max_bytes`.
Refusal BodyTooLarge(size_t max_bytes);

/// A request head, filled line by line. Header names are lower-case.
struct RequestHead {
  std::string method;
  std::string path;  // decoded
  std::vector<std::pair<std::string, std::string>> query;
  std::vector<std::pair<std::string, std::string>> headers;
  std::string target_authority;  // of an absolute-form target, else empty
  int minor_version = 1;         // HTTP/1.minor_version
  std::optional<size_t> content_length;
  bool chunked = false;
  bool keep_alive = true;
  bool expects_continue = false;
};

/// Reads "METHOD target HTTP/1.x" (without the line end) into `head`. Pure.
/// Refuses: 400 (grammar, broken or climbing path), 501 (unknown method), 505 (version).
std::optional<Refusal> ParseRequestLine(std::string_view line, RequestHead& head);

/// Reads one "name: value" line into `head.headers`. Refuses 400: no colon, blank before it, folded
/// line, character outside the grammar.
std::optional<Refusal> ParseFieldLine(std::string_view line, RequestHead& head);

/// Checks the fields that frame the message and fills the members that depend on them. Call once,
/// after the last field. Refuses: 400, 413 (a length beyond any size), 415, 417, 501.
std::optional<Refusal> FinishHead(RequestHead& head);

}  // namespace emptor::services
