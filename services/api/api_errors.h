// Errors of the API: one shape, `{"error":{"code","message","param","request_id"}}`.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "services/http/exchange.h"

namespace emptor::services {

/// HTTP status and reply for a status. Clients see the message of kInvalidArgument and kNotFound,
/// with the text before its first ": " as `param`; other messages stay internal.
Response MakeErrorResponse(const absl::Status& status, std::string_view request_id);

Response MakeErrorResponse(int http_status, std::string_view code, std::string_view message,
                           std::string_view param, std::string_view request_id);

/// Headers that every reply carries.
void AddSecurityHeaders(Response& response);

}  // namespace emptor::services
