// The generator's state and the forms of the models as JSON.
#include "services/app/generator_status.h"

#include "catalog/encoding/json.h"

namespace emptor::services {
namespace {

void WriteEndpoint(const EndpointTextGenerator& endpoint, catalog::JsonWriter& writer) {
  const EndpointTextGenerator::State state = endpoint.state();
  writer.Member("url", state.url).Member("api", state.api);
  writer.Member("available", state.available);
  if (!state.last_error.empty()) writer.Member("last_error", state.last_error);
  writer.Member("requests", state.counts.requests).Member("failures", state.counts.failures);
  writer.Member("retries", state.counts.retries).Member("refused", state.counts.refused);
  writer.Member("cancelled", state.counts.cancelled);
}

std::string_view KindOf(const ServiceParts& parts) {
  if (parts.endpoint != nullptr) return "endpoint";
  if (parts.remote != nullptr) return "engine_server";
  return parts.generator != nullptr ? "engine" : "none";
}

}  // namespace

std::string GeneratorStatusJson(const ServiceParts& parts) {
  catalog::JsonWriter writer;
  writer.BeginObject().Member("kind", KindOf(parts));
  if (parts.generator != nullptr) writer.Member("model", parts.generator->model_name());
  if (parts.endpoint != nullptr) WriteEndpoint(*parts.endpoint, writer);
  writer.Key("models").BeginArray();
  for (const auto& [name, form] : parts.forms.counts()) {
    writer.BeginObject().Member("name", name).Member("answers", form.answers);
    writer.Member("no_reference", form.no_reference);
    writer.Member("wrong_reference", form.wrong_reference);
    writer.Member("refused_sentence", form.refused_sentence);
    writer.Member("sentences_kept", form.sentences_kept);
    writer.Member("sentences_refused", form.sentences_refused).EndObject();
  }
  writer.EndArray().EndObject();
  return writer.Take();
}

}  // namespace emptor::services
