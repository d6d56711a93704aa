// Writes the head of an answer: status line, standard headers; and error bodies.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "services/http/exchange.h"

namespace emptor::services {

/// How the body behind a head is delimited.
enum class BodyFraming {
  kLength,   // Content-Length
  kChunked,  // Transfer-Encoding: chunked (HTTP/1.1 streams)
  kClose,    // the end of the connection (HTTP/1.0 streams)
  kNone,     // 204 and 304: no body, no length
};

struct HeadOptions {
  int status = 200;
  std::string_view content_type;  // empty: no Content-Type
  std::string_view request_id;
  BodyFraming framing = BodyFraming::kLength;
  size_t content_length = 0;
  bool keep_alive = true;
  bool http11 = true;
};

std::string_view ReasonPhrase(int status);

/// Status line and headers with the closing empty line. Of `headers`, those that frame the message
/// (Content-Length, Transfer-Encoding, Connection, Date) and those that are not well-formed (they
/// could split the response) are left out.
std::string FormatHead(const HeadOptions& options,
                       const std::vector<std::pair<std::string, std::string>>& headers);

/// The one error shape of the service: {"error":{"code","message","param":null,"request_id"}}.
std::string FormatErrorBody(std::string_view code, std::string_view message,
                            std::string_view request_id);

/// A whole Response of that shape.
Response MakeErrorResponse(int status, std::string_view code, std::string_view message,
                           std::string_view request_id);

/// A new request id: 16 hexadecimal digits, unique in this process and unlike those of another one.
std::string MakeRequestId();

/// Appends `data` as one chunk; nothing for empty data (that would end the body).
void AppendChunk(std::string& out, std::string_view data);

inline constexpr std::string_view kLastChunk = "0\r\n\r\n";

}  // namespace emptor::services
