// The API's error form and plain text, rewritten.
#include "services/gateway/openai_errors.h"

#include <utility>

#include "catalog/encoding/json.h"
#include "services/gateway/gateway_errors.h"
#include "services/http/forwarding_exchange.h"

namespace emptor::services {
namespace {

using catalog::JsonValue;

std::string TextOf(const JsonValue& object, std::string_view name) {
  const JsonValue* value = object.Find(name);
  return value != nullptr && value->is_string() ? value->as_string() : "";
}

void RewriteError(const Request& request, Response& response) {
  std::string code, message, param;
  const auto body = catalog::ParseJson(response.body);
  const JsonValue* error = body.ok() ? body->Find("error") : nullptr;
  if (error != nullptr && error->is_object()) {
    if (error->Find("type") != nullptr) return;
    code = TextOf(*error, "code");
    message = TextOf(*error, "message");
    param = TextOf(*error, "param");
  } else {
    code = response.status == 503 ? "unavailable" : "error";
    message = response.body.substr(0, response.body.find('\n'));
  }
  response.content_type = "application/json";
  response.body = MakeGatewayError(response.status, code, message, request.id, param).body;
}

}  // namespace

std::shared_ptr<Exchange> WithOpenAiErrors(std::shared_ptr<Exchange> inner) {
  return std::make_shared<ErrorFormExchange>(std::move(inner), RewriteError);
}

std::string OpenAiErrorBody(int status, std::string_view code, std::string_view message,
                            std::string_view request_id) {
  return MakeGatewayError(status, code, message, request_id).body;
}

}  // namespace emptor::services
