// The body becomes a record that is imported as a row of a feed is.
#include "services/api/document_routes.h"

#include <memory>
#include <utility>

#include "catalog/encoding/json.h"
#include "catalog/import/import_result.h"
#include "services/api/api_errors.h"
#include "services/api/submit.h"

namespace emptor::services {
namespace {

using ExchangePtr = std::shared_ptr<Exchange>;
using catalog::LineStatus;

absl::StatusOr<catalog::DocumentOptions> OptionsOf(const Request& request) {
  catalog::DocumentOptions options;
  for (const auto& [name, value] : request.query) {
    std::string* option = name == "name"      ? &options.name
                          : name == "kind"    ? &options.kind
                          : name == "product" ? &options.product_id
                          : name == "locale"  ? &options.locale
                                              : nullptr;
    if (option == nullptr) {
      return absl::InvalidArgumentError(name.substr(0, 64) +
                                        ": expected name, kind, product or locale");
    }
    *option = value;
  }
  if (options.name.empty()) return absl::InvalidArgumentError("name: expected that of the file");
  return options;
}

void RespondTo(Exchange& exchange, const catalog::Document& document,
               const catalog::LineResult& result) {
  const std::string& request_id = exchange.request().id;
  if (result.status == LineStatus::kError) {
    return exchange.Respond(
        MakeErrorResponse(absl::InvalidArgumentError(result.message), request_id));
  }
  catalog::JsonWriter writer;
  writer.BeginObject().Member("id", document.id).Member("status", ToString(result.status));
  writer.Member("title", document.title).Member("pages", document.pages.size());
  if (!result.problems.empty()) {
    writer.Key("warnings").BeginArray();
    for (const catalog::FeedProblem& problem : result.problems) {
      writer.BeginObject().Member("field", problem.field).Member("reason", problem.reason);
      writer.EndObject();
    }
    writer.EndArray();
  }
  Response response;
  response.status = result.status == LineStatus::kCreated ? 201 : 200;
  response.body = writer.EndObject().Take();
  response.headers.emplace_back("Cache-Control", "no-store");
  AddSecurityHeaders(response);
  exchange.Respond(std::move(response));
}

void Take(const DocumentRoutesParts& parts, Exchange& exchange) {
  const Request& request = exchange.request();
  auto options = OptionsOf(request);
  if (!options.ok()) return exchange.Respond(MakeErrorResponse(options.status(), request.id));
  options->format = catalog::DetectDocumentFormat(request.body, options->name)
                        .value_or(catalog::DocumentFormat::kText);
  options->read_pdf = parts.read_pdf;
  const auto document = catalog::ReadDocument(request.body, *options);
  if (!document.ok()) {
    if (parts.shop.counters() != nullptr) {
      parts.shop.counters()->CountRefusedDocument(document.status());
    }
    return exchange.Respond(MakeErrorResponse(document.status(), request.id));
  }
  catalog::FeedRow row;
  row.line = row.end_line = 1;
  row.id = document->id;
  row.record = *document;
  const auto result = parts.shop.Change(std::move(row), catalog::ImportMode::kUpsert);
  if (result.ok()) return RespondTo(exchange, *document, *result);
  if (absl::IsResourceExhausted(result.status())) {
    return exchange.Respond(MakeErrorResponse(
        507, "storage_full", "there is no room to store the document", "", request.id));
  }
  exchange.Respond(MakeErrorResponse(result.status(), request.id));
}

}  // namespace

std::vector<Route> MakeDocumentRoutes(const DocumentRoutesParts& parts) {
  return {Replayed({"POST", "/v1/catalog/documents", Access::kCatalog,
                    [parts](const ExchangePtr& exchange, std::string_view) {
                      SubmitOrRefuse(parts.imports, exchange,
                                     [parts, exchange] { Take(parts, *exchange); });
                    },
                    kLargestBody})};
}

}  // namespace emptor::services
