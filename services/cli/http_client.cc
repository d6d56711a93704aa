// libcurl behind two functions.
#include "services/cli/http_client.h"

#include <curl/curl.h>
#include <fmt/format.h>

#include <memory>
#include <utility>

#include "catalog/json.h"

namespace emptor::services {
namespace {

struct Transfer {
  const HttpCall& call;
  CURL* curl = nullptr;
  std::string body;
};

size_t TakePiece(char* data, size_t size, size_t count, void* user) {
  auto& transfer = *static_cast<Transfer*>(user);
  const std::string_view piece(data, size * count);
  long status = 0;
  curl_easy_getinfo(transfer.curl, CURLINFO_RESPONSE_CODE, &status);
  const auto& on_piece = transfer.call.on_piece;
  if (status == 200 && on_piece) return on_piece(piece) ? piece.size() : 0;
  transfer.body += piece;
  return piece.size();
}

using CurlPtr = std::unique_ptr<CURL, decltype(&curl_easy_cleanup)>;

/// A handle with what every request has in common; null when there is none to have.
CurlPtr MakeHandle(Transfer& transfer) {
  static const bool initialised = curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
  CurlPtr curl(initialised ? curl_easy_init() : nullptr, &curl_easy_cleanup);
  if (!curl) return curl;
  transfer.curl = curl.get();
  curl_easy_setopt(curl.get(), CURLOPT_URL, transfer.call.url.c_str());
  curl_easy_setopt(curl.get(), CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(curl.get(), CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(curl.get(), CURLOPT_NOPROXY, "localhost,127.0.0.1,::1");
  curl_easy_setopt(curl.get(), CURLOPT_CONNECTTIMEOUT_MS, 5000L);
  curl_easy_setopt(curl.get(), CURLOPT_WRITEFUNCTION, &TakePiece);
  curl_easy_setopt(curl.get(), CURLOPT_WRITEDATA, &transfer);
  return curl;
}

using HeaderList = std::unique_ptr<curl_slist, decltype(&curl_slist_free_all)>;

HeaderList HeadersOf(const std::vector<std::string>& lines) {
  HeaderList list(nullptr, &curl_slist_free_all);
  for (const std::string& line : lines) {
    curl_slist* longer = curl_slist_append(list.get(), line.c_str());
    if (longer == nullptr) break;
    static_cast<void>(list.release());
    list.reset(longer);
  }
  return list;
}

absl::StatusOr<HttpReply> Perform(Transfer& transfer, const std::vector<std::string>& headers) {
  const HeaderList list = HeadersOf(headers);
  curl_easy_setopt(transfer.curl, CURLOPT_HTTPHEADER, list.get());
  const CURLcode code = curl_easy_perform(transfer.curl);
  if (code != CURLE_OK) {
    return absl::UnavailableError(transfer.call.url + ": " + curl_easy_strerror(code));
  }
  long status = 0;
  curl_easy_getinfo(transfer.curl, CURLINFO_RESPONSE_CODE, &status);
  return HttpReply{static_cast<int>(status), std::move(transfer.body)};
}

}  // namespace

absl::StatusOr<HttpReply> HttpPost(const HttpCall& call) {
  Transfer transfer{.call = call, .curl = nullptr, .body = {}};
  const CurlPtr curl = MakeHandle(transfer);
  if (!curl) return absl::InternalError("libcurl: cannot be initialised");
  std::vector<std::string> headers = call.headers;
  headers.push_back("Content-Type: " + call.content_type);
  headers.emplace_back("Expect:");
  curl_easy_setopt(curl.get(), CURLOPT_POSTFIELDS, call.body.data());
  const auto size = static_cast<curl_off_t>(call.body.size());
  curl_easy_setopt(curl.get(), CURLOPT_POSTFIELDSIZE_LARGE, size);
  return Perform(transfer, headers);
}

absl::StatusOr<HttpReply> HttpGet(const HttpCall& call) {
  Transfer transfer{.call = call, .curl = nullptr, .body = {}};
  const CurlPtr curl = MakeHandle(transfer);
  if (!curl) return absl::InternalError("libcurl: cannot be initialised");
  return Perform(transfer, call.headers);
}

absl::Status CheckReply(const std::string& url, const HttpReply& reply) {
  if (reply.status == 200) return absl::OkStatus();
  const auto json = catalog::ParseJson(reply.body);
  const catalog::JsonValue* error = json.ok() ? json->Find("error") : nullptr;
  const catalog::JsonValue* message = error == nullptr ? nullptr : error->Find("message");
  const bool is_told = message != nullptr && message->is_string();
  const std::string why = is_told ? message->as_string() : fmt::format("answered {}", reply.status);
  return absl::Status(
      reply.status == 404 ? absl::StatusCode::kNotFound : absl::StatusCode::kUnavailable,
      url + ": " + why);
}

std::string UrlEncoded(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool is_plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
                          (c >= 'A' && c <= 'Z') || c == '-' || c == '_' || c == '.';
    out += is_plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return out;
}

}  // namespace emptor::services
