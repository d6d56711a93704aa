// Errors of OpenAI's API, vLLM, TGI, llama.cpp and FastAPI.
#include "services/gateway/replica_error.h"

#include <algorithm>

#include "catalog/encoding/utf8.h"
#include "services/client/api_key.h"

namespace emptor::services {
namespace {

using catalog::JsonValue;

constexpr size_t kMaxMessage = 300, kMaxCode = 64;

/// The key is removed before the text is cut, which would leave its beginning.
std::string Line(std::string_view text, std::string_view key, size_t max_bytes) {
  if (!catalog::IsValidUtf8(text)) return {};
  const std::string clean =
      WithoutKey(catalog::RemoveControlCharacters(text, catalog::LineBreaks::kRefused).text, key);
  return std::string(catalog::Utf8Prefix(clean, max_bytes));
}

std::string TextOf(const JsonValue& object, std::string_view name, std::string_view key,
                   size_t max_bytes) {
  const JsonValue* value = object.Find(name);
  return value != nullptr && value->is_string() ? Line(value->as_string(), key, max_bytes) : "";
}

int StatusIn(const JsonValue& object) {
  for (const char* name : {"code", "status", "status_code"}) {
    const JsonValue* value = object.Find(name);
    if (value == nullptr || !value->is_int()) continue;
    if (value->as_int() >= 400 && value->as_int() < 600) return static_cast<int>(value->as_int());
  }
  const std::string type = TextOf(object, "type", {}, kMaxCode);
  return type == "invalid_request_error" || type == "BadRequestError" ? 400 : 0;
}

ReplicaError Read(const JsonValue& object, std::string_view key) {
  ReplicaError error;
  error.status = StatusIn(object);
  error.message = TextOf(object, "message", key, kMaxMessage);
  error.code = TextOf(object, "code", key, kMaxCode);
  const bool has_type = !TextOf(object, "type", {}, kMaxCode).empty();
  error.is_complete = has_type && !error.message.empty() && object.Find("code") != nullptr;
  return error;
}

}  // namespace

std::optional<ReplicaError> FindReplicaError(const JsonValue& object, std::string_view key) {
  if (!object.is_object()) return std::nullopt;
  const JsonValue* error = object.Find("error");
  if (error != nullptr && error->is_object()) return Read(*error, key);
  if (error != nullptr && error->is_string()) {
    return ReplicaError{.status = StatusIn(object),
                        .message = TextOf(object, "error", key, kMaxMessage)};
  }
  if (error != nullptr && !error->is_null()) return ReplicaError{};
  const JsonValue* kind = object.Find("object");
  if (kind != nullptr && kind->is_string() && kind->as_string() == "error") {
    ReplicaError plain = Read(object, key);
    plain.is_complete = false;
    return plain;
  }
  const JsonValue* detail = object.Find("detail");
  if (detail == nullptr || object.Find("choices") != nullptr) return std::nullopt;
  if (detail->is_string())
    return ReplicaError{.message = TextOf(object, "detail", key, kMaxMessage)};
  catalog::JsonWriter writer;
  writer.Value(*detail);
  return ReplicaError{.message = Line(writer.Take(), key, kMaxMessage)};
}

ReplicaError ReadReplicaError(std::string_view body, std::string_view key) {
  if (const auto json = catalog::ParseJson(body); json.ok()) {
    return FindReplicaError(*json, key).value_or(ReplicaError{});
  }
  const size_t begin = body.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos ||
      std::string_view("<{[").find(body[begin]) != std::string_view::npos) {
    return {};  // a page, or JSON that was cut
  }
  body.remove_prefix(begin);
  body = body.substr(0, body.find_last_not_of(" \t\r\n") + 1);
  return ReplicaError{.message = Line(body, key, kMaxMessage)};
}

bool IsClientsMistake(int http_status) {
  // 501: a parameter that the server does not know.
  if (http_status == 501) return true;
  return http_status >= 400 && http_status < 500 && http_status != 401 && http_status != 403 &&
         http_status != 407 && http_status != 408 && http_status != 429;
}

}  // namespace emptor::services
