// Handlers of the model routes.
#include "services/api/model_routes.h"

#include <cmath>
#include <string>
#include <utility>

#include "services/api/api_errors.h"

namespace emptor::services {
namespace {

using ExchangePtr = std::shared_ptr<Exchange>;
using Action = absl::Status (ModelRegistry::*)(std::string_view name);

void RespondJson(Exchange& exchange, int status, std::string body) {
  Response response;
  response.status = status;
  response.body = std::move(body);
  response.headers.emplace_back("Cache-Control", "no-store");
  AddSecurityHeaders(response);
  exchange.Respond(std::move(response));
}

void RespondError(Exchange& exchange, const absl::Status& status) {
  const std::string& id = exchange.request().id;
  if (absl::IsFailedPrecondition(status)) {
    return exchange.Respond(
        MakeErrorResponse(409, "conflict", std::string(status.message()), "", id));
  }
  exchange.Respond(MakeErrorResponse(status, id));
}

void RespondStatus(Exchange& exchange, const ModelRegistry& registry, std::string_view name) {
  const auto status = registry.Status(name);
  if (!status.ok()) return RespondError(exchange, status.status());
  catalog::JsonWriter writer;
  WriteModelStatus(*status, writer);
  const bool settled =
      status->state != ModelState::kLoading && status->state != ModelState::kUnloading;
  const bool is_action = exchange.request().method == "POST";
  RespondJson(exchange, is_action && !settled ? 202 : 200, writer.Take());
}

Route ActionRoute(ModelRegistry& registry, const char* pattern, Action action) {
  return {"POST", pattern, Access::kAdmin,
          [&registry, action](const ExchangePtr& exchange, std::string_view name) {
            const absl::Status status = (registry.*action)(name);
            if (!status.ok()) return RespondError(*exchange, status);
            RespondStatus(*exchange, registry, name);
          }};
}

/// What the engine says of an adapter, or of all of a model.
void WriteAdapters(const ModelStatus& status, catalog::JsonWriter& writer) {
  const std::string_view own = SplitModelReference(status.spec.name).adapter;
  if (status.info.adapters.empty()) return;
  writer.Key("adapters").BeginArray();
  for (const engine::AdapterInfo& adapter : status.info.adapters) {
    if (!own.empty() && adapter.name != own) continue;
    writer.BeginObject().Member("name", adapter.name).Member("rank", adapter.rank);
    writer.Member("matrices", adapter.matrices).Member("parameters", adapter.parameters);
    writer.EndObject();
  }
  writer.EndArray();
}

}  // namespace

void WriteModelStatus(const ModelStatus& status, catalog::JsonWriter& writer) {
  writer.BeginObject().Member("name", status.spec.name);
  writer.Member("kind", ToString(status.spec.kind)).Member("path", status.spec.path);
  if (!status.parent.empty()) writer.Member("parent", status.parent);
  writer.Member("state", ToString(status.state)).Member("active", status.active);
  if (status.state == ModelState::kLoading) writer.Member("percent", status.percent);
  if (!status.reason.empty()) writer.Member("reason", status.reason);
  if (status.state == ModelState::kAvailable) {
    writer.Member("loaded_at", status.loaded_at);
    writer.Member("load_seconds", std::round(status.load_seconds * 1000) / 1000);
    if (status.dimension > 0) writer.Member("dimension", status.dimension);
    const engine::ModelInfo& info = status.info;
    if (info.context_length > 0) {
      writer.Member("title", info.name).Member("architecture", info.architecture);
      writer.Member("file_type", info.file_type).Member("isa", info.isa);
      writer.Member("context_length", info.context_length);
      writer.Member("parameters", info.parameters).Member("bytes", info.bytes);
      if (!info.merged.empty()) writer.Member("merged_adapter", info.merged);
      WriteAdapters(status, writer);
    }
  }
  writer.EndObject();
}

std::vector<Route> MakeModelRoutes(ModelRegistry& registry) {
  return {
      {"GET", "/admin/models", Access::kAdmin,
       [&registry](const ExchangePtr& exchange, std::string_view) {
         catalog::JsonWriter writer;
         writer.BeginObject().Key("models").BeginArray();
         for (const ModelStatus& status : registry.List()) WriteModelStatus(status, writer);
         writer.EndArray().EndObject();
         RespondJson(*exchange, 200, writer.Take());
       }},
      {"GET", "/admin/models/{name}/status", Access::kAdmin,
       [&registry](const ExchangePtr& exchange, std::string_view name) {
         RespondStatus(*exchange, registry, name);
       }},
      ActionRoute(registry, "/admin/models/{name}/activate", &ModelRegistry::Activate),
      ActionRoute(registry, "/admin/models/{name}/load", &ModelRegistry::Load),
      ActionRoute(registry, "/admin/models/{name}/unload", &ModelRegistry::Unload),
  };
}

}  // namespace emptor::services
