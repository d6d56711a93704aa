// Status to HTTP.
#include "services/api/api_errors.h"

#include <utility>

#include "catalog/encoding/json.h"

namespace emptor::services {
namespace {

constexpr size_t kMaxMessage = 300;

/// "filters.price.min" of "filters.price.min: expected an integer".
std::string_view ParamOf(std::string_view message) {
  const size_t colon = message.find(": ");
  if (colon == std::string_view::npos || colon > 64) return {};
  const std::string_view name = message.substr(0, colon);
  constexpr std::string_view kAllowed = "abcdefghijklmnopqrstuvwxyz0123456789_.[]-";
  return name.find_first_not_of(kAllowed) == std::string_view::npos ? name : std::string_view();
}

}  // namespace

void AddSecurityHeaders(Response& response) {
  response.headers.emplace_back("X-Content-Type-Options", "nosniff");
  response.headers.emplace_back("Referrer-Policy", "no-referrer");
}

Response MakeErrorResponse(int http_status, std::string_view code, std::string_view message,
                           std::string_view param, std::string_view request_id) {
  catalog::JsonWriter writer;
  writer.BeginObject().Key("error").BeginObject();
  writer.Member("code", code).Member("message", message.substr(0, kMaxMessage));
  writer.Key("param");
  if (param.empty()) {
    writer.Null();
  } else {
    writer.String(param);
  }
  writer.Member("request_id", request_id).EndObject().EndObject();
  Response response;
  response.status = http_status;
  response.body = writer.Take();
  response.headers.emplace_back("Cache-Control", "no-store");
  if (http_status == 429 || http_status == 503) response.headers.emplace_back("Retry-After", "1");
  AddSecurityHeaders(response);
  return response;
}

ApiError DescribeError(const absl::Status& status) {
  std::string message(status.message());
  std::string param(ParamOf(message));
  switch (status.code()) {
    case absl::StatusCode::kInvalidArgument:
      return {400, "invalid_request", std::move(message), std::move(param)};
    case absl::StatusCode::kNotFound:
      return {404, "not_found", std::move(message), std::move(param)};
    case absl::StatusCode::kResourceExhausted:
      return {429, "overloaded", "the service is busy, please try again"};
    case absl::StatusCode::kDeadlineExceeded:
      return {504, "deadline_exceeded", "the request took too long"};
    case absl::StatusCode::kAborted:  // another generation is served by the next request
    case absl::StatusCode::kUnavailable:
      return {503, "unavailable", "the service is not available now"};
    case absl::StatusCode::kFailedPrecondition:
      return {503, "read_only", "the catalog takes no changes now"};
    default:
      return {500, "internal", "something went wrong inside"};
  }
}

Response MakeErrorResponse(const absl::Status& status, std::string_view request_id) {
  const ApiError error = DescribeError(status);
  return MakeErrorResponse(error.http_status, error.code, error.message, error.param, request_id);
}

}  // namespace emptor::services
