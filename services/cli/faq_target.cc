// The two targets.
#include "services/cli/faq_target.h"

#include <fmt/format.h>

#include <ctime>
#include <utility>

#include "catalog/faq/faq_json.h"
#include "services/api/faq_codec.h"
#include "services/app/asked_questions.h"
#include "services/app/service_parts.h"
#include "services/cli/service_target.h"
#include "services/client/http_client.h"
#include "services/faq/faq_answers.h"
#include "services/faq/faq_suggestions.h"
#include "services/faq/faq_writing.h"
#include "services/shop/shop_faq.h"

namespace emptor::services {
namespace {

using catalog::JsonValue;

constexpr size_t kPage = 500;
constexpr size_t kMaxReplyBytes = 64u << 20;

int64_t Now() { return static_cast<int64_t>(std::time(nullptr)); }

std::string TextOf(const JsonValue& object, std::string_view name) {
  const JsonValue* member = object.Find(name);
  return member != nullptr && member->is_string() ? member->as_string() : std::string();
}

/// An item of GET /v1/faq/entries.
absl::StatusOr<ListedFaqEntry> ListedOf(const JsonValue& item) {
  if (!item.is_object()) return absl::InternalError("faq: an entry that is no object");
  ListedFaqEntry listed;
  JsonValue::Object members;
  for (const catalog::JsonMember& member : item.as_object()) {
    const bool is_of_entry =
        member.name != "etag" && member.name != "status" && member.name != "broken";
    if (is_of_entry) members.push_back(member);
  }
  auto entry = catalog::FaqEntryFromJson(JsonValue(std::move(members)));
  if (!entry.ok()) return entry.status();
  listed.entry = *std::move(entry);
  listed.status = TextOf(item, "status");
  if (const JsonValue* broken = item.Find("broken"); broken != nullptr && broken->is_array()) {
    for (const JsonValue& each : broken->as_array()) {
      if (each.is_string()) listed.broken.push_back(each.as_string());
    }
  }
  return listed;
}

/// A line of POST /v1/faq/entries.
catalog::FaqPutResult ResultOf(const JsonValue& line) {
  catalog::FaqPutResult result;
  const std::string status = TextOf(line, "status"), message = TextOf(line, "message");
  result.id = TextOf(line, "id");
  result.note = message;
  if (status == "refused") result.status = absl::InvalidArgumentError(message);
  for (const auto action : {catalog::FaqAction::kCreated, catalog::FaqAction::kUpdated}) {
    if (status == ToString(action)) result.action = action;
  }
  if (const JsonValue* warnings = line.Find("warnings");
      warnings != nullptr && warnings->is_array()) {
    for (const JsonValue& each : warnings->as_array()) {
      result.note += fmt::format("{}warning: {}: {}", result.note.empty() ? "" : "; ",
                                 TextOf(each, "field"), TextOf(each, "reason"));
    }
  }
  return result;
}

class RemoteFaq final : public FaqTarget {
 public:
  explicit RemoteFaq(ServiceTarget service) : service_(std::move(service)) {}

  /// Rows are read here and sent in batches; the service cleans, checks and stores them.
  catalog::FaqImportOptions ImportOptions(bool dry_run) override {
    catalog::FaqImportOptions options;
    options.screen = catalog::ScreenPolicy::kOff;
    options.write = [this, dry_run](const std::vector<catalog::FaqPut>& puts) {
      return Send(puts, dry_run);
    };
    return options;
  }

  absl::Status Visit(const std::function<bool(const ListedFaqEntry&)>& visit) override {
    for (std::string cursor;;) {
      const auto page = Get(fmt::format("/v1/faq/entries?limit={}&cursor={}", kPage, cursor));
      if (!page.ok()) return page.status();
      const auto json =
          catalog::ParseJson(*page, {.max_bytes = kMaxReplyBytes, .max_nodes = 1u << 20});
      if (!json.ok()) return json.status();
      const JsonValue* entries = json->Find("entries");
      if (entries == nullptr || !entries->is_array()) return absl::InternalError("no entries");
      for (const JsonValue& item : entries->as_array()) {
        const auto listed = ListedOf(item);
        if (!listed.ok()) return listed.status();
        if (!visit(*listed)) return absl::OkStatus();
      }
      cursor = TextOf(*json, "next_cursor");
      if (cursor.empty()) return absl::OkStatus();
    }
  }

  absl::StatusOr<std::string> LookUp(const std::string& question,
                                     const std::string& locale) override {
    catalog::JsonWriter body;
    body.BeginObject().Member("question", question);
    if (!locale.empty()) body.Member("locale", locale);
    body.EndObject();
    return Call({.method = "POST", .url = "/v1/faq/lookup", .body = body.text()});
  }

  absl::Status Delete(const std::string& id) override {
    return Call({.method = "DELETE", .url = "/v1/faq/entries/" + UrlEncoded(id)}).status();
  }

  absl::StatusOr<std::string> Changes(uint64_t after, size_t limit) override {
    return Get(fmt::format("/v1/faq/changes?cursor={}&limit={}", after, limit));
  }

  absl::StatusOr<std::string> Suggestions(size_t limit) override {
    return Get(fmt::format("/v1/faq/suggestions?limit={}", limit));
  }

 private:
  absl::StatusOr<std::string> Call(HttpCall call) {
    call.url = service_.url + call.url;
    call.headers = service_.headers;
    call.max_reply_bytes = kMaxReplyBytes;
    auto reply = client_.Send(call);
    if (!reply.ok()) return reply.status();
    if (absl::Status status = CheckReply(service_.url, *reply); !status.ok()) return status;
    return std::move(reply->body);
  }
  absl::StatusOr<std::string> Get(const std::string& path) {
    return Call({.method = "GET", .url = path});
  }

  absl::StatusOr<std::vector<catalog::FaqPutResult>> Send(const std::vector<catalog::FaqPut>& puts,
                                                          bool dry_run) {
    std::string body;
    for (const catalog::FaqPut& put : puts) {
      catalog::FaqEntry entry = put.entry;
      if (!put.is_id_made) {
        body += catalog::FaqEntryJson(entry) + '\n';
        continue;
      }
      entry.id.clear();  // the service makes the same one
      body += catalog::FaqEntryJson(entry) + '\n';
    }
    const auto reply =
        Call({.method = "POST",
              .url = std::string("/v1/faq/entries") + (dry_run ? "?dry_run=true" : ""),
              .content_type = "application/x-ndjson",
              .body = body});
    if (!reply.ok()) return reply.status();
    std::vector<catalog::FaqPutResult> results;
    std::string_view rest = *reply;
    while (!rest.empty()) {
      const std::string_view line = rest.substr(0, rest.find('\n'));
      rest.remove_prefix(std::min(line.size() + 1, rest.size()));
      const auto json = catalog::ParseJson(line);
      if (!json.ok()) return json.status();
      if (const JsonValue* error = json->Find("error"); error != nullptr) {
        return absl::UnavailableError(service_.url + ": " + TextOf(*error, "message"));
      }
      results.push_back(ResultOf(*json));
    }
    if (results.size() == puts.size()) return results;
    return absl::UnavailableError(fmt::format("{}: expected {} results, found {}; import again",
                                              service_.url, puts.size(), results.size()));
  }

  const ServiceTarget service_;
  HttpClient client_;
};

class LocalFaq final : public FaqTarget {
 public:
  LocalFaq(LocalShops shops, Config config)
      : shops_(std::move(shops)), config_(std::move(config)) {}

  catalog::FaqImportOptions ImportOptions(bool dry_run) override {
    shops_.shop->writer().faq().DeferIndexing();
    return FaqImportInto(reader(), shops_.shop->writer(),
                         {.who = kWho, .dry_run = dry_run, .now_unix = Now()});
  }

  absl::Status Visit(const std::function<bool(const ListedFaqEntry&)>& visit) override {
    absl::Status damage;
    absl::Status status = reader().faq().entries().Visit([&](const catalog::FaqEntry& entry) {
      auto broken = BrokenReferences(reader(), entry.answer, Now());
      if (!broken.ok()) damage = broken.status();
      if (!broken.ok()) return false;
      return visit({entry, std::string(StatusOfFaqEntry(entry, !broken->empty(), Now())),
                    *std::move(broken)});
    });
    return status.ok() ? damage : status;
  }

  absl::StatusOr<std::string> LookUp(const std::string& question,
                                     const std::string& locale) override {
    catalog::JsonWriter body;
    body.BeginObject().Member("question", question);
    if (!locale.empty()) body.Member("locale", locale);
    auto asked = ParseFaqQuestion(body.EndObject().Take());
    if (!asked.ok()) return asked.status();
    asked->now_unix = Now();
    reader().faq().WaitUntilBuilt();
    const auto reply = LookUpFaq(reader(), *asked);
    if (!reply.ok()) return reply.status();
    return FaqReplyJson(*reply);
  }

  absl::Status Delete(const std::string& id) override {
    return shops_.shop->writer().faq().Delete(id, {}, kWho);
  }

  absl::StatusOr<std::string> Changes(uint64_t after, size_t limit) override {
    return FaqChangesJson(reader().faq().entries(), after, limit);
  }

  absl::StatusOr<std::string> Suggestions(size_t limit) override {
    const auto asked = ReadAskedQuestions(config_);
    if (!asked.ok()) return asked.status();
    const auto suggested = SuggestFaq(reader(), *asked, {.limit = limit, .now_unix = Now()});
    if (!suggested.ok()) return suggested.status();
    return FaqSuggestionsJson(*suggested);
  }

 private:
  static constexpr const char* kWho = "command line";
  const ShopReader& reader() const { return shops_.shop->reader(); }

  const LocalShops shops_;
  const Config config_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<FaqTarget>> OpenFaqTarget(const std::string& url,
                                                         const Config& config) {
  ServiceTarget service = FindTarget(url, config);
  if (!service.url.empty()) return std::make_unique<RemoteFaq>(std::move(service));
  auto shops = OpenShop(config, /*create_if_missing=*/true);
  if (!shops.ok()) return shops.status();
  return std::make_unique<LocalFaq>(*std::move(shops), config);
}

}  // namespace emptor::services
