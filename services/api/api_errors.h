// Errors of the API: one shape, `{"error":{"code","message","param","request_id"}}`.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "services/http/exchange.h"

namespace emptor::services {

/// HTTP status and reply for a status of ours. The message of kInvalidArgument and kNotFound goes
/// out, and the parameter is what stands before its first ": "; every other message stays inside.
Response MakeErrorResponse(const absl::Status& status, std::string_view request_id);

Response MakeErrorResponse(int http_status, std::string_view code, std::string_view message,
                           std::string_view param, std::string_view request_id);

/// Headers that every reply carries.
void AddSecurityHeaders(Response& response);

}  // namespace emptor::services
