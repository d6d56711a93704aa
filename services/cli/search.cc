// emptor search.
#include <cstdio>
#include <ctime>
#include <string>

#include "catalog/json.h"
#include "services/api/reply_codec.h"
#include "services/app/app.h"
#include "services/cli/answer_printer.h"
#include "services/cli/commands.h"
#include "services/cli/http_client.h"
#include "services/ingest/shop.h"

namespace emptor::services {
namespace {

absl::StatusOr<std::string> SearchService(const std::string& url, const SearchCommand& command) {
  catalog::JsonWriter body;
  body.BeginObject().Member("query", command.query).Member("limit", command.limit).EndObject();
  const auto reply = HttpPost(url + "/v1/search", "application/json", body.text());
  if (!reply.ok()) return reply.status();
  if (reply->status != 200) return absl::UnavailableError(url + ": " + reply->body);
  return reply->body;
}

absl::StatusOr<std::string> SearchHere(const Config& config, const SearchCommand& command) {
  auto base = ShopOnly::Open(config, /*create_if_missing=*/false);
  if (!base.ok()) return base.status();
  (*base)->shop().WaitForWords();
  retrieval::SearchRequest request;
  request.query = command.query;
  request.limit = command.limit;
  const auto found = (*base)->shop().SearchProducts(request);
  if (!found.ok()) return found.status();
  catalog::JsonWriter writer;
  writer.BeginObject().Key("items").BeginArray();
  int n = 0;
  for (const retrieval::Hit& hit : found->hits) {
    const auto product = (*base)->shop().FindProduct(hit.id);
    if (!product.ok()) return product.status();
    if (!*product) continue;
    ProductCard card;
    card.n = ++n;
    card.product = **product;
    card.shown =
        catalog::ComputePayablePrice(card.product, static_cast<int64_t>(std::time(nullptr)));
    card.score = hit.score;
    WriteCard(card, config.public_url, writer);
  }
  writer.EndArray().Member("total", found->matched).EndObject();
  return writer.Take();
}

}  // namespace

int RunSearch(const Config& config, const SearchCommand& command) {
  const std::string url = ServiceUrl(command.url, config);
  const auto reply = url.empty() ? SearchHere(config, command) : SearchService(url, command);
  if (!reply.ok()) return Fail(reply.status());
  if (command.json) {
    std::printf("%s\n", reply->c_str());
    return 0;
  }
  catalog::JsonLimits limits;
  limits.max_bytes = 64u << 20;
  const auto json = catalog::ParseJson(*reply, limits);
  if (!json.ok()) return Fail(json.status());
  const catalog::JsonValue* items = json->Find("items");
  if (items == nullptr || !items->is_array()) return Fail(absl::InternalError("no items"));
  for (const catalog::JsonValue& item : items->as_array()) {
    std::fputs(CardLines(item).c_str(), stdout);
  }
  const catalog::JsonValue* total = json->Find("total");
  if (total != nullptr && total->is_int()) {
    std::printf("%zu of %lld\n", items->as_array().size(), static_cast<long long>(total->as_int()));
  }
  return 0;
}

}  // namespace emptor::services
