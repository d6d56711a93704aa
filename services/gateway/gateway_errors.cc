// Statuses and words.
#include "services/gateway/gateway_errors.h"

#include "catalog/encoding/json.h"

namespace emptor::services {
namespace {

std::string_view TypeOf(int status) {
  if (status == 429) return "rate_limit_error";
  return status < 500 ? "invalid_request_error" : "server_error";
}

Response WithRetryAfter(Response response, const char* seconds) {
  response.headers.emplace_back("Retry-After", seconds);
  return response;
}

}  // namespace

std::string GatewayErrorJson(std::string_view type, std::string_view code, std::string_view message,
                             std::string_view request_id) {
  catalog::JsonWriter writer;
  writer.BeginObject().Key("error").BeginObject();
  writer.Member("message", message).Member("type", type).Key("param").Null();
  writer.Member("code", code).Member("request_id", request_id).EndObject().EndObject();
  return writer.Take();
}

Response MakeGatewayError(int status, std::string_view code, std::string_view message,
                          std::string_view request_id) {
  Response response;
  response.status = status;
  response.body = GatewayErrorJson(TypeOf(status), code, message, request_id);
  return response;
}

Response RefusalOf(DispatchRefusal reason, AttemptFailure failure, std::string_view request_id) {
  switch (reason) {
    case DispatchRefusal::kOverloaded:
      return WithRetryAfter(MakeGatewayError(429, "overloaded",
                                             "all replicas are busy, please try again", request_id),
                            "1");
    case DispatchRefusal::kNoReplica:
      return WithRetryAfter(
          MakeGatewayError(503, "no_replica", "no replica is up that serves the model", request_id),
          "1");
    case DispatchRefusal::kDraining:
      return WithRetryAfter(
          MakeGatewayError(503, "draining", "the gateway takes no requests now", request_id), "1");
    case DispatchRefusal::kPoison:
      return MakeGatewayError(422, "request_refused",
                              "replicas ended while they worked on this request; it is not tried "
                              "again for a while",
                              request_id);
    default:
      break;
  }
  switch (failure) {
    case AttemptFailure::kTimeout:
      return MakeGatewayError(504, "replica_timeout", "no replica answered in time", request_id);
    case AttemptFailure::kBusy:
      return WithRetryAfter(MakeGatewayError(503, "replicas_busy",
                                             "all replicas are busy, please try again", request_id),
                            "1");
    default:
      return WithRetryAfter(MakeGatewayError(502, "replica_failed",
                                             "no replica could answer the request", request_id),
                            "1");
  }
}

std::string BrokenStreamEvent(AttemptFailure failure, std::string_view request_id) {
  const char* what = failure == AttemptFailure::kTimeout
                         ? "the replica stopped in the middle of the answer"
                         : "the replica was lost in the middle of the answer";
  return "data: " + GatewayErrorJson("server_error", "replica_lost", what, request_id) + "\n\n";
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
