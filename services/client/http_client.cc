// libcurl behind one class.
#include "services/client/http_client.h"

#include <curl/curl.h>
#include <fmt/format.h>

#include <mutex>
#include <utility>

#include "catalog/encoding/json.h"
#include "services/client/retry_policy.h"

namespace emptor::services {
namespace {

constexpr size_t kMaxIdle = 8;            // connections that are kept
constexpr long kStallBytesSecond = 1000;  // a slower transfer has stalled

using CurlPtr = std::unique_ptr<CURL, decltype(&curl_easy_cleanup)>;
using HeadersPtr = std::unique_ptr<curl_slist, decltype(&curl_slist_free_all)>;

/// The state of one request.
struct Transfer {
  const HttpCall& call;
  CURL* curl = nullptr;
  std::string body = {};
  size_t received = 0;
  bool is_too_long = false;
};

size_t TakePiece(char* data, size_t size, size_t count, void* user) {
  auto& transfer = *static_cast<Transfer*>(user);
  const std::string_view piece(data, size * count);
  transfer.is_too_long = piece.size() > transfer.call.max_reply_bytes - transfer.received;
  if (transfer.is_too_long) return 0;
  transfer.received += piece.size();
  long status = 0;
  curl_easy_getinfo(transfer.curl, CURLINFO_RESPONSE_CODE, &status);
  if (status == 200 && transfer.call.on_piece) {
    return transfer.call.on_piece(piece) ? piece.size() : 0;
  }
  transfer.body += piece;
  return piece.size();
}

HeadersPtr MakeHeaders(const HttpCall& call) {
  curl_slist* list = curl_slist_append(nullptr, "Expect:");
  if (call.method == "POST") {
    list = curl_slist_append(list, ("Content-Type: " + call.content_type).c_str());
  }
  for (const std::string& header : call.headers) list = curl_slist_append(list, header.c_str());
  return HeadersPtr(list, &curl_slist_free_all);
}

void SetMethod(CURL* curl, const HttpCall& call) {
  if (call.method == "POST") {
    curl_easy_setopt(curl, CURLOPT_POSTFIELDS, call.body.data() == nullptr ? "" : call.body.data());
    curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(call.body.size()));
  } else if (call.method == "PUT") {
    curl_easy_setopt(curl, CURLOPT_UPLOAD, 1L);
    curl_easy_setopt(curl, CURLOPT_READDATA, call.upload);
    curl_easy_setopt(curl, CURLOPT_INFILESIZE_LARGE, static_cast<curl_off_t>(call.upload_bytes));
  } else if (call.method != "GET") {
    curl_easy_setopt(curl, CURLOPT_CUSTOMREQUEST, call.method.c_str());
  }
}

void Prepare(CURL* curl, const HttpCall& call, const HeadersPtr& headers, Transfer& transfer) {
  curl_easy_setopt(curl, CURLOPT_URL, call.url.c_str());
  curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(curl, CURLOPT_NOPROXY, "localhost,127.0.0.1,::1");
  curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT_MS,
                   static_cast<long>(call.connect_timeout.count()));
  curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, static_cast<long>(call.timeout.count()));
  if (call.stall_timeout.count() > 0) {
    curl_easy_setopt(curl, CURLOPT_LOW_SPEED_LIMIT, kStallBytesSecond);
    curl_easy_setopt(curl, CURLOPT_LOW_SPEED_TIME, static_cast<long>(call.stall_timeout.count()));
  }
  if (!call.signature.empty()) {
    curl_easy_setopt(curl, CURLOPT_AWS_SIGV4, call.signature.c_str());
    curl_easy_setopt(curl, CURLOPT_USERPWD, call.signing_keys.c_str());
  }
  curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers.get());
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, &TakePiece);
  curl_easy_setopt(curl, CURLOPT_WRITEDATA, &transfer);
  SetMethod(curl, call);
}

}  // namespace

struct HttpClient::Impl {
  std::mutex mutex;
  std::vector<CurlPtr> idle;  // guarded by mutex

  CurlPtr Take() {
    {
      const std::lock_guard lock(mutex);
      if (!idle.empty()) {
        CurlPtr curl = std::move(idle.back());
        idle.pop_back();
        return curl;
      }
    }
    static const bool initialised = curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
    return CurlPtr(initialised ? curl_easy_init() : nullptr, &curl_easy_cleanup);
  }
  void GiveBack(CurlPtr curl) {
    curl_easy_reset(curl.get());  // keeps connections, forgets headers and keys
    const std::lock_guard lock(mutex);
    if (idle.size() < kMaxIdle) idle.push_back(std::move(curl));
  }
};

HttpClient::HttpClient() : impl_(std::make_unique<Impl>()) {}
HttpClient::~HttpClient() = default;

absl::StatusOr<HttpReply> HttpClient::Send(const HttpCall& call) {
  CurlPtr curl = impl_->Take();
  if (!curl) return absl::InternalError("libcurl: cannot be initialised");
  Transfer transfer{.call = call, .curl = curl.get()};
  const HeadersPtr headers = MakeHeaders(call);
  Prepare(curl.get(), call, headers, transfer);
  const CURLcode code = curl_easy_perform(curl.get());
  if (transfer.is_too_long) {
    return absl::OutOfRangeError(call.url + ": a reply of more than " +
                                 std::to_string(call.max_reply_bytes) + " bytes");
  }
  if (code != CURLE_OK) return absl::UnavailableError(call.url + ": " + curl_easy_strerror(code));
  long status = 0;
  curl_off_t retry_after = 0;
  curl_easy_getinfo(curl.get(), CURLINFO_RESPONSE_CODE, &status);
  curl_easy_getinfo(curl.get(), CURLINFO_RETRY_AFTER, &retry_after);
  impl_->GiveBack(std::move(curl));
  return HttpReply{static_cast<int>(status), std::move(transfer.body), RetryAfterOf(retry_after)};
}

absl::StatusOr<HttpReply> HttpPost(HttpCall call) {
  call.method = "POST";
  return HttpClient().Send(call);
}

absl::StatusOr<HttpReply> HttpGet(HttpCall call) {
  call.method = "GET";
  return HttpClient().Send(call);
}

absl::Status CheckReply(const std::string& url, const HttpReply& reply) {
  if (reply.status == 200) return absl::OkStatus();
  const auto json = catalog::ParseJson(reply.body);
  const catalog::JsonValue* error = json.ok() ? json->Find("error") : nullptr;
  const catalog::JsonValue* message = error == nullptr ? nullptr : error->Find("message");
  const bool has_reason = message != nullptr && message->is_string();
  const std::string why =
      has_reason ? message->as_string() : fmt::format("answered {}", reply.status);
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
