// libcurl behind one function.
#include "services/cli/http_client.h"

#include <curl/curl.h>

#include <memory>
#include <utility>

namespace emptor::services {
namespace {

struct Transfer {
  CURL* curl = nullptr;
  const std::function<bool(std::string_view)>* on_piece = nullptr;
  std::string body;
};

size_t TakePiece(char* data, size_t size, size_t count, void* user) {
  auto& transfer = *static_cast<Transfer*>(user);
  const std::string_view piece(data, size * count);
  long status = 0;
  curl_easy_getinfo(transfer.curl, CURLINFO_RESPONSE_CODE, &status);
  if (status == 200 && *transfer.on_piece) return (*transfer.on_piece)(piece) ? piece.size() : 0;
  transfer.body += piece;
  return piece.size();
}

using CurlPtr = std::unique_ptr<CURL, decltype(&curl_easy_cleanup)>;

/// A handle with what every request has in common; null when there is none to have.
CurlPtr MakeHandle(const std::string& url, Transfer& transfer) {
  static const bool initialised = curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
  CurlPtr curl(initialised ? curl_easy_init() : nullptr, &curl_easy_cleanup);
  if (!curl) return curl;
  transfer.curl = curl.get();
  curl_easy_setopt(curl.get(), CURLOPT_URL, url.c_str());
  curl_easy_setopt(curl.get(), CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(curl.get(), CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(curl.get(), CURLOPT_NOPROXY, "localhost,127.0.0.1,::1");
  curl_easy_setopt(curl.get(), CURLOPT_CONNECTTIMEOUT_MS, 5000L);
  curl_easy_setopt(curl.get(), CURLOPT_WRITEFUNCTION, &TakePiece);
  curl_easy_setopt(curl.get(), CURLOPT_WRITEDATA, &transfer);
  return curl;
}

absl::StatusOr<HttpReply> Perform(const std::string& url, Transfer& transfer) {
  const CURLcode code = curl_easy_perform(transfer.curl);
  if (code != CURLE_OK) return absl::UnavailableError(url + ": " + curl_easy_strerror(code));
  long status = 0;
  curl_easy_getinfo(transfer.curl, CURLINFO_RESPONSE_CODE, &status);
  return HttpReply{static_cast<int>(status), std::move(transfer.body)};
}

}  // namespace

absl::StatusOr<HttpReply> HttpPost(const std::string& url, std::string_view content_type,
                                   std::string_view body,
                                   const std::function<bool(std::string_view)>& on_piece) {
  Transfer transfer{nullptr, &on_piece, {}};
  const CurlPtr curl = MakeHandle(url, transfer);
  if (!curl) return absl::InternalError("libcurl: cannot be initialised");
  const std::string type = "Content-Type: " + std::string(content_type);
  std::unique_ptr<curl_slist, decltype(&curl_slist_free_all)> headers(
      curl_slist_append(curl_slist_append(nullptr, type.c_str()), "Expect:"), &curl_slist_free_all);
  curl_easy_setopt(curl.get(), CURLOPT_HTTPHEADER, headers.get());
  curl_easy_setopt(curl.get(), CURLOPT_POSTFIELDS, body.data());
  curl_easy_setopt(curl.get(), CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(body.size()));
  return Perform(url, transfer);
}

absl::StatusOr<HttpReply> HttpGet(const std::string& url) {
  const std::function<bool(std::string_view)> no_pieces;
  Transfer transfer{nullptr, &no_pieces, {}};
  const CurlPtr curl = MakeHandle(url, transfer);
  if (!curl) return absl::InternalError("libcurl: cannot be initialised");
  return Perform(url, transfer);
}

}  // namespace emptor::services
