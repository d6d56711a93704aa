// Writes the head of an answer.
#include "services/http/response_head.h"

#include <fmt/format.h>

#include <atomic>
#include <ctime>
#include <iterator>
#include <random>

#include "services/http/syntax.h"

namespace emptor::services {
namespace {

/// The present time as IMF-fixdate, formatted at most once a second per thread.
std::string_view HttpDate() {
  thread_local time_t formatted = 0;
  thread_local char text[32];
  const time_t now = time(nullptr);
  if (now != formatted) {
    tm parts{};
    gmtime_r(&now, &parts);
    // The program never sets a locale, so the names of days and months are the English ones.
    strftime(text, sizeof text, "%a, %d %b %Y %H:%M:%S GMT", &parts);
    formatted = now;
  }
  return text;
}

bool IsFraming(std::string_view lower_case_name) {
  return lower_case_name == "content-length" || lower_case_name == "transfer-encoding" ||
         lower_case_name == "connection" || lower_case_name == "date";
}

/// Text as the inside of a JSON string; bytes that are not UTF-8 become U+FFFD.
std::string EscapeJson(std::string_view text) {
  std::string escaped;
  const bool utf8 = IsUtf8(text);
  for (char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      escaped += '\\';
      escaped += c;
    } else if (byte < 0x20) {
      fmt::format_to(std::back_inserter(escaped), "\\u{:04x}", byte);
    } else if (byte >= 0x80 && !utf8) {
      escaped += "\xef\xbf\xbd";
    } else {
      escaped += c;
    }
  }
  return escaped;
}

constexpr std::pair<int, std::string_view> kReasonPhrases[] = {
    {200, "OK"},
    {201, "Created"},
    {202, "Accepted"},
    {204, "No Content"},
    {206, "Partial Content"},
    {301, "Moved Permanently"},
    {302, "Found"},
    {303, "See Other"},
    {304, "Not Modified"},
    {307, "Temporary Redirect"},
    {308, "Permanent Redirect"},
    {400, "Bad Request"},
    {401, "Unauthorized"},
    {403, "Forbidden"},
    {404, "Not Found"},
    {405, "Method Not Allowed"},
    {406, "Not Acceptable"},
    {408, "Request Timeout"},
    {409, "Conflict"},
    {410, "Gone"},
    {412, "Precondition Failed"},
    {413, "Content Too Large"},
    {414, "URI Too Long"},
    {415, "Unsupported Media Type"},
    {417, "Expectation Failed"},
    {421, "Misdirected Request"},
    {422, "Unprocessable Content"},
    {429, "Too Many Requests"},
    {431, "Request Header Fields Too Large"},
    {500, "Internal Server Error"},
    {501, "Not Implemented"},
    {502, "Bad Gateway"},
    {503, "Service Unavailable"},
    {504, "Gateway Timeout"},
    {505, "HTTP Version Not Supported"},
};

}  // namespace

std::string_view ReasonPhrase(int status) {
  for (const auto& [code, phrase] : kReasonPhrases) {
    if (code == status) return phrase;
  }
  return "Unknown";
}

std::string FormatHead(const HeadOptions& options,
                       const std::vector<std::pair<std::string, std::string>>& headers) {
  std::string head;
  head.reserve(384);
  auto out = std::back_inserter(head);
  fmt::format_to(out, "HTTP/1.1 {} {}\r\nDate: {}\r\n", options.status,
                 ReasonPhrase(options.status), HttpDate());
  if (!options.content_type.empty() && IsFieldValue(options.content_type))
    fmt::format_to(out, "Content-Type: {}\r\n", options.content_type);
  if (options.framing == BodyFraming::kLength)
    fmt::format_to(out, "Content-Length: {}\r\n", options.content_length);
  if (options.framing == BodyFraming::kChunked) head += "Transfer-Encoding: chunked\r\n";
  if (!options.keep_alive) {
    head += "Connection: close\r\n";
  } else if (!options.http11) {
    head += "Connection: keep-alive\r\n";
  }
  if (!options.request_id.empty()) fmt::format_to(out, "X-Request-Id: {}\r\n", options.request_id);
  head += "X-Content-Type-Options: nosniff\r\n";
  for (const auto& [name, value] : headers) {
    if (IsToken(name) && IsFieldValue(value) && !IsFraming(AsciiLowerCase(name)))
      fmt::format_to(out, "{}: {}\r\n", name, value);
  }
  head += "\r\n";
  return head;
}

std::string FormatErrorBody(std::string_view code, std::string_view message,
                            std::string_view request_id) {
  return fmt::format(R"({{"error":{{"code":"{}","message":"{}","param":null,"request_id":"{}"}}}})",
                     EscapeJson(code), EscapeJson(message), EscapeJson(request_id));
}

Response MakeErrorResponse(int status, std::string_view code, std::string_view message,
                           std::string_view request_id) {
  Response response;
  response.status = status;
  response.body = FormatErrorBody(code, message, request_id);
  response.headers.emplace_back("Cache-Control", "no-store");
  return response;
}

std::string MakeRequestId() {
  static std::atomic<uint64_t> counter{[] {
    std::random_device device;
    return static_cast<uint64_t>(device()) << 32 | device();
  }()};
  // splitmix64 is a bijection: different counts give different ids.
  uint64_t id = counter.fetch_add(0x9e3779b97f4a7c15ull, std::memory_order_relaxed);
  id = (id ^ (id >> 30)) * 0xbf58476d1ce4e5b9ull;
  id = (id ^ (id >> 27)) * 0x94d049bb133111ebull;
  return fmt::format("{:016x}", id ^ (id >> 31));
}

void AppendChunk(std::string& out, std::string_view data) {
  if (data.empty()) return;
  fmt::format_to(std::back_inserter(out), "{:x}\r\n", data.size());
  out.append(data).append("\r\n");
}

}  // namespace emptor::services
