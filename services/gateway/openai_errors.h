// Errors that other parts answer (routes, gates, the HTTP server), in the form of the OpenAI API.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "services/http/exchange.h"

namespace emptor::services {

/// Puts into every error that is answered what a client of the OpenAI API expects of it:
/// {"error":{"message","type","param","code","request_id"}}. Other answers pass unchanged.
std::shared_ptr<Exchange> WithOpenAiErrors(std::shared_ptr<Exchange> inner);

/// For HttpServerOptions::error_body.
std::string OpenAiErrorBody(int status, std::string_view code, std::string_view message,
                            std::string_view request_id);

}  // namespace emptor::services
