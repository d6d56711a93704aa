// Statuses and words.
#include "services/gateway/gateway_errors.h"

#include <algorithm>
#include <cstdint>

#include "catalog/encoding/json.h"

namespace emptor::services {
namespace {

std::string_view TypeOf(int status) {
  if (status == 429) return "rate_limit_error";
  return status < 500 ? "invalid_request_error" : "server_error";
}

Response WithRetryAfter(Response response, std::chrono::milliseconds pause = {}) {
  const auto seconds = std::chrono::ceil<std::chrono::seconds>(pause).count();
  response.headers.emplace_back("Retry-After", std::to_string(std::max<int64_t>(1, seconds)));
  return response;
}

/// "no replica could answer: the last one says: out of memory".
std::string With(std::string text, const std::string& message) {
  if (!message.empty()) text.append("; the last one says: ").append(message);
  return text;
}

/// Of a request that was tried, and has no answer.
Response FailureOf(const FailureDetail& detail, std::string_view id) {
  switch (detail.failure) {
    case AttemptFailure::kTimeout:
      return MakeGatewayError(504, "replica_timeout",
                              With("no replica answered in time", detail.message), id);
    case AttemptFailure::kLate:
      return MakeGatewayError(504, "deadline_exceeded",
                              "the answer takes longer than a request may take (request_ms of the "
                              "gateway)",
                              id);
    case AttemptFailure::kTooLarge:
      return MakeGatewayError(502, "answer_too_large",
                              "the answer is larger than the gateway passes on", id);
    case AttemptFailure::kBusy:
      return WithRetryAfter(
          MakeGatewayError(503, "replicas_busy",
                           With("all replicas are busy, please try again", detail.message), id),
          detail.pause);
    default:
      return WithRetryAfter(MakeGatewayError(
          502, "replica_failed", With("no replica could answer the request", detail.message), id));
  }
}

}  // namespace

std::string GatewayErrorJson(std::string_view type, std::string_view code, std::string_view message,
                             std::string_view request_id, std::string_view param) {
  catalog::JsonWriter writer;
  writer.BeginObject().Key("error").BeginObject();
  writer.Member("message", message).Member("type", type).Key("param");
  if (param.empty()) {
    writer.Null();
  } else {
    writer.String(param);
  }
  writer.Member("code", code).Member("request_id", request_id).EndObject().EndObject();
  return writer.Take();
}

Response MakeGatewayError(int status, std::string_view code, std::string_view message,
                          std::string_view request_id, std::string_view param) {
  Response response;
  response.status = status;
  response.body = GatewayErrorJson(TypeOf(status), code, message, request_id, param);
  return response;
}

Response RefusalOf(DispatchRefusal reason, const FailureDetail& detail, std::string_view id) {
  switch (reason) {
    case DispatchRefusal::kOverloaded:
      return WithRetryAfter(
          MakeGatewayError(429, "overloaded", "all replicas are busy, please try again", id));
    case DispatchRefusal::kNoReplica:
      return WithRetryAfter(
          MakeGatewayError(503, "no_replica", "no replica is up that serves the model", id));
    case DispatchRefusal::kDraining:
      return WithRetryAfter(
          MakeGatewayError(503, "draining", "the gateway takes no requests now", id));
    case DispatchRefusal::kPoison:
      return MakeGatewayError(422, "request_refused",
                              "replicas ended while they worked on this request; it is not tried "
                              "again for a while",
                              id);
    default:
      return FailureOf(detail, id);
  }
}

std::string BrokenStreamEvent(const FailureDetail& detail, std::string_view request_id) {
  const char* code = "replica_lost";
  std::string what = "the replica was lost in the middle of the answer";
  if (detail.failure == AttemptFailure::kTimeout) {
    what = "the replica stopped in the middle of the answer";
  } else if (detail.failure == AttemptFailure::kLate) {
    code = "deadline_exceeded";
    what = "the answer takes longer than a request may take (request_ms of the gateway)";
  } else if (detail.failure == AttemptFailure::kTooLarge) {
    code = "answer_too_large";
    what = "an event of the answer is larger than the gateway passes on";
  } else if (!detail.message.empty()) {
    what = "the replica ended the answer with an error: " + detail.message;
  }
  return "data: " + GatewayErrorJson("server_error", code, what, request_id) + "\n\n";
}

Response RejectionOf(int status, const ReplicaError& error, std::string_view request_id) {
  const std::string message =
      error.message.empty() ? "the replica refuses the request" : error.message;
  return MakeGatewayError(status, error.code.empty() ? "replica_refused" : error.code, message,
                          request_id);
}

const char* NameOf(DispatchRefusal reason) {
  switch (reason) {
    case DispatchRefusal::kNone:
      return "none";
    case DispatchRefusal::kOverloaded:
      return "overloaded";
    case DispatchRefusal::kNoReplica:
      return "no_replica";
    case DispatchRefusal::kFailed:
      return "failed";
    case DispatchRefusal::kPoison:
      return "poison";
    case DispatchRefusal::kDraining:
      return "draining";
    case DispatchRefusal::kLostMidStream:
      return "lost_mid_stream";
  }
  return "none";
}

const char* NameOf(AttemptFailure failure) {
  switch (failure) {
    case AttemptFailure::kUnreachable:
      return "unreachable";
    case AttemptFailure::kLost:
      return "lost";
    case AttemptFailure::kTimeout:
      return "timeout";
    case AttemptFailure::kBadAnswer:
      return "bad_answer";
    case AttemptFailure::kServerError:
      return "server_error";
    case AttemptFailure::kBusy:
      return "busy";
    case AttemptFailure::kLate:
      return "late";
    case AttemptFailure::kTooLarge:
      return "too_large";
  }
  return "lost";
}

}  // namespace emptor::services
