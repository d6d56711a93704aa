// Errors of the API: one shape, `{"error":{"code","message","param","request_id"}}`.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "services/http/exchange.h"

namespace emptor::services {

/// What a client sees of a status.
struct ApiError {
  int http_status = 500;
  std::string code;
  std::string message;
  std::string param = {};  // the field that is to blame; empty: none
};
/// Clients see the message of kInvalidArgument and kNotFound, with the text before its first ": "
/// as `param`; other messages stay internal. Pure.
ApiError DescribeError(const absl::Status& status);

Response MakeErrorResponse(const absl::Status& status, std::string_view request_id);

Response MakeErrorResponse(int http_status, std::string_view code, std::string_view message,
                           std::string_view param, std::string_view request_id);

/// Headers that every reply carries.
void AddSecurityHeaders(Response& response);

}  // namespace emptor::services
