// Errors of the gateway's own, in the form of the OpenAI API.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "services/gateway/balancing/dispatcher.h"
#include "services/gateway/replica_error.h"
#include "services/http/exchange.h"

namespace emptor::services {

/// {"error":{"message","type","param","code","request_id"}}; an empty `param` is null.
std::string GatewayErrorJson(std::string_view type, std::string_view code, std::string_view message,
                             std::string_view request_id, std::string_view param = {});
Response MakeGatewayError(int status, std::string_view code, std::string_view message,
                          std::string_view request_id, std::string_view param = {});

/// Of the attempt that failed last.
struct FailureDetail {
  AttemptFailure failure = AttemptFailure::kLost;
  std::string message = {};            // what the replica says; empty: nothing
  std::chrono::milliseconds pause{0};  // that it asks for
};

/// The answer to a request that was refused before its first byte: 422, 429, 502, 503 or 504, with
/// Retry-After where another attempt may help. Pure.
Response RefusalOf(DispatchRefusal reason, const FailureDetail& detail,
                   std::string_view request_id);
/// The event that ends a stream whose replica was lost. No [DONE] follows: a client can tell it
/// from an end.
std::string BrokenStreamEvent(const FailureDetail& detail, std::string_view request_id);
/// A replica's refusal of the request itself, which has another form than the OpenAI API's.
Response RejectionOf(int status, const ReplicaError& error, std::string_view request_id);

/// "overloaded", "lost", ...: labels of metrics.
const char* NameOf(DispatchRefusal reason);
const char* NameOf(AttemptFailure failure);

}  // namespace emptor::services
