// Errors of the gateway's own, in the form of the OpenAI API.
#pragma once

#include <string>
#include <string_view>

#include "services/gateway/balancing/dispatcher.h"
#include "services/http/exchange.h"

namespace emptor::services {

/// {"error":{"message","type","param","code","request_id"}}
std::string GatewayErrorJson(std::string_view type, std::string_view code, std::string_view message,
                             std::string_view request_id);
Response MakeGatewayError(int status, std::string_view code, std::string_view message,
                          std::string_view request_id);

/// The answer to a request that was refused before its first byte: 429, 502, 503 or 504, with
/// Retry-After where another attempt may help. Pure.
Response RefusalOf(DispatchRefusal reason, AttemptFailure failure, std::string_view request_id);
/// The event that ends a stream whose replica was lost. No [DONE] follows: a client can tell it
/// from an end.
std::string BrokenStreamEvent(AttemptFailure failure, std::string_view request_id);

/// "overloaded", "lost", ...: labels of metrics.
const char* NameOf(DispatchRefusal reason);
const char* NameOf(AttemptFailure failure);

}  // namespace emptor::services
