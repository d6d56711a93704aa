// emptor search.
#include <cstdio>
#include <ctime>
#include <memory>
#include <string>

#include "catalog/encoding/json.h"
#include "services/api/request_codec.h"
#include "services/api/search_reply.h"
#include "services/app/service_parts.h"
#include "services/cli/answer_printer.h"
#include "services/cli/commands.h"
#include "services/cli/service_target.h"
#include "services/client/http_client.h"
#include "services/grounding/relaxation_text.h"
#include "services/shop/product_search.h"

namespace emptor::services {
namespace {

struct SearchCommand {
  std::string query;
  std::string url;
  int limit = 10;
  std::string sort;  // as POST /v1/search has it; empty: by relevance
  bool json = false;
  bool facets = false;
};

// The body of POST /v1/search; this process checks it as a service does.
std::string RequestBody(const SearchCommand& command) {
  catalog::JsonWriter body;
  body.BeginObject().Member("query", command.query).Member("limit", command.limit);
  if (!command.sort.empty()) body.Member("sort", command.sort);
  return body.Member("facets", command.facets).EndObject().Take();
}

absl::StatusOr<std::string> SearchService(const ServiceTarget& service,
                                          const SearchCommand& command) {
  const auto reply = HttpPost({.url = service.url + "/v1/search",
                               .headers = service.headers,
                               .body = RequestBody(command)});
  if (!reply.ok()) return reply.status();
  if (absl::Status status = CheckReply(service.url, *reply); !status.ok()) return status;
  return reply->body;
}

absl::StatusOr<std::string> SearchHere(const Config& config, const SearchCommand& command) {
  const auto body = ParseSearchBody(RequestBody(command));
  if (!body.ok()) return body.status();
  const auto shops = OpenShop(config, /*create_if_missing=*/false);
  if (!shops.ok()) return shops.status();
  shops->shop->lifecycle().WaitForWords();
  const auto result = SearchProducts(shops->shop->reader(), body->input);
  if (!result.ok()) return result.status();
  return SearchReplyJson(*result, {.base_url = config.public_url,
                                   .locale = LanguageOfWords(command.query),
                                   .now_unix = static_cast<int64_t>(std::time(nullptr)),
                                   .shown_before = 0,
                                   .next_cursor = {}});
}

std::string JsonText(const catalog::JsonValue& value) {
  catalog::JsonWriter writer;
  writer.Value(value);
  return writer.Take();
}

/// The conditions read from the query, and those that were relaxed.
void PrintConditions(const catalog::JsonValue& reply) {
  if (const auto* filters = reply.Find("filters");
      filters != nullptr && filters->is_object() && !filters->as_object().empty()) {
    std::printf("filters: %s\n", JsonText(*filters).c_str());
  }
  const catalog::JsonValue* relaxed = reply.Find("relaxed");
  if (relaxed != nullptr && relaxed->is_array()) {
    for (const catalog::JsonValue& step : relaxed->as_array()) {
      const auto* action = step.Find("action");
      const auto* asked = step.Find("asked");
      if (action == nullptr || asked == nullptr || !action->is_string()) continue;
      std::printf("nothing met %s: %s\n", JsonText(*asked).c_str(), action->as_string().c_str());
    }
  }
  if (const auto* facets = reply.Find("facets"); facets != nullptr) {
    std::printf("facets: %s\n", JsonText(*facets).c_str());
  }
}

int RunSearch(const Config& config, const SearchCommand& command) {
  const ServiceTarget service = FindTarget(command.url, config);
  const auto reply =
      service.url.empty() ? SearchHere(config, command) : SearchService(service, command);
  if (!reply.ok()) return FailForShop(config, reply.status());
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
  PrintConditions(*json);
  if (json->Find("words_only") != nullptr) {
    std::printf("by words alone: the embedder does not answer\n");
  }
  const catalog::JsonValue* total = json->Find("total");
  if (total != nullptr && total->is_int()) {
    std::printf("%zu of %lld\n", items->as_array().size(), static_cast<long long>(total->as_int()));
  }
  return 0;
}

}  // namespace

void AddSearchCommand(Command root, SettingFlags& settings) {
  const auto search = std::make_shared<SearchCommand>();
  const Command command = root.AddCommand("search", "search the catalog");
  settings.AddForData(command);
  settings.AddShop(command);
  settings.AddApiKey(command);
  command.Add("QUERY", search->query).Required();
  command.Add("--url", search->url, "URL of the service");
  command.Add("--limit", search->limit, "number of results").Range(1, 100);
  command.Add("--sort", search->sort,
              "relevance, popularity, rating, price_asc, price_desc or newest");
  command.AddSwitch("--json", search->json, "print the reply as JSON");
  command.AddSwitch("--facets", search->facets, "count brands, prices and other properties");
  settings.OnRun(command, [search](const Config& config) { return RunSearch(config, *search); });
}

}  // namespace emptor::services
