// Handlers. They run on HTTP threads and pass everything that waits to the workers.
#include "services/api/faq_routes.h"

#include <fmt/format.h>

#include <charconv>
#include <chrono>
#include <memory>
#include <utility>

#include "catalog/encoding/json.h"
#include "catalog/faq/faq_json.h"
#include "services/api/api_errors.h"
#include "services/api/faq_codec.h"
#include "services/api/result_stream.h"
#include "services/api/submit.h"
#include "services/faq/faq_writing.h"
#include "services/shop/shop_faq.h"

namespace emptor::services {
namespace {

using ExchangePtr = std::shared_ptr<Exchange>;
using std::chrono::steady_clock;

/// kAborted, and kNotFound of an entry that If-Match wants, are 412; `is_match` says that the
/// request has such a condition.
void RespondError(Exchange& exchange, const absl::Status& status, bool is_match = false) {
  const std::string& id = exchange.request().id;
  const std::string message(status.message());
  const bool fails_match =
      absl::IsAborted(status) ||
      (is_match && (absl::IsNotFound(status) || absl::IsAlreadyExists(status)));
  if (fails_match) {
    return exchange.Respond(MakeErrorResponse(412, "precondition_failed", message, "", id));
  }
  if (absl::IsAlreadyExists(status)) {
    return exchange.Respond(MakeErrorResponse(409, "conflict", message, "question", id));
  }
  if (absl::IsResourceExhausted(status)) {
    return exchange.Respond(
        MakeErrorResponse(507, "storage_full", "there is no room to store the changes", "", id));
  }
  exchange.Respond(MakeErrorResponse(status, id));
}

void RespondJson(Exchange& exchange, int status, std::string body, const std::string& tag = "") {
  Response response;
  response.status = status;
  response.body = std::move(body);
  response.headers.emplace_back("Cache-Control", "no-store");
  if (!tag.empty()) response.headers.emplace_back("ETag", fmt::format("\"{}\"", tag));
  AddSecurityHeaders(response);
  exchange.Respond(std::move(response));
}

/// Without a key a request that may change something comes from this program's own tests alone.
std::string WhoAsks(const Exchange& exchange) {
  return exchange.caller().empty() ? "no key" : std::string(exchange.caller());
}

class FaqHandlers : public std::enable_shared_from_this<FaqHandlers> {
 public:
  explicit FaqHandlers(const FaqRoutesParts& parts) : parts_(parts) {}

  void Lookup(const ExchangePtr& exchange) const {
    auto question = ParseFaqQuestion(exchange->request().body);
    if (!question.ok()) return RespondError(*exchange, question.status());
    SubmitOrRefuse(parts_.workers, exchange,
                   [self = shared_from_this(), exchange, question = *std::move(question)] {
                     self->RunLookup(*exchange, question);
                   });
  }

  using Task = void (FaqHandlers::*)(Exchange&, const std::string& id) const;
  void Run(WorkerPool& pool, const ExchangePtr& exchange, std::string_view id, Task task) const {
    SubmitOrRefuse(pool, exchange,
                   [self = shared_from_this(), exchange, task, name = std::string(id)] {
                     (*self.*task)(*exchange, name);
                   });
  }

  void List(Exchange& exchange, const std::string&) const {
    const auto page = ParsePage(exchange.request());
    if (!page.ok()) return RespondError(exchange, page.status());
    const catalog::FaqStore& entries = parts_.reader.faq().entries();
    const auto found = entries.List(page->cursor, page->limit);
    if (!found.ok()) return RespondError(exchange, found.status());
    catalog::JsonWriter writer;
    writer.BeginObject().Member("total", entries.size()).Key("entries").BeginArray();
    for (const catalog::FaqEntry& entry : found->entries) {
      writer.BeginObject();
      if (absl::Status status = WriteEntry(entry, writer); !status.ok()) {
        return RespondError(exchange, status);
      }
      writer.EndObject();
    }
    writer.EndArray();
    if (!found->next.empty()) writer.Member("next_cursor", found->next);
    RespondJson(exchange, 200, writer.EndObject().Take());
  }

  void Show(Exchange& exchange, const std::string& id) const {
    const auto entry = parts_.reader.faq().entries().Find(id);
    if (!entry.ok()) return RespondError(exchange, entry.status());
    if (!*entry) return RespondError(exchange, NoSuchEntry());
    catalog::JsonWriter writer;
    writer.BeginObject();
    if (absl::Status status = WriteEntry(**entry, writer); !status.ok()) {
      return RespondError(exchange, status);
    }
    RespondJson(exchange, 200, writer.EndObject().Take(), catalog::FaqTag(**entry));
  }

  void Put(Exchange& exchange, const std::string& id) const {
    const auto match = MatchOf(exchange.request());
    if (!match.ok()) return RespondError(exchange, match.status());
    const bool is_match = match->must_be_new || match->tag;
    const auto options = FaqImportInto(parts_.reader, parts_.writer, ChangerOf(exchange));
    std::vector<catalog::TextWarning> warnings;
    auto put = PutOf(exchange.request().body, id, options, warnings);
    if (!put.ok()) return RespondError(exchange, put.status());
    put->match = *match;
    std::vector<catalog::FaqPut> puts;
    puts.push_back(*std::move(put));
    const auto written = options.write(std::move(puts));
    if (!written.ok()) return RespondError(exchange, written.status());
    const catalog::FaqPutResult& result = written->front();
    if (!result.status.ok()) {
      const bool is_question = !result.other_id.empty();
      return RespondError(exchange, result.status, is_match && !is_question);
    }
    catalog::JsonWriter writer;
    writer.BeginObject().Member("id", id).Member("status", ToString(result.action));
    writer.Member("version", result.stored->version);
    WriteFaqWarnings(warnings, writer);
    const bool is_new = result.action == catalog::FaqAction::kCreated;
    RespondJson(exchange, is_new ? 201 : 200, writer.EndObject().Take(),
                catalog::FaqTag(*result.stored));
  }

  void Delete(Exchange& exchange, const std::string& id) const {
    const auto match = MatchOf(exchange.request());
    if (!match.ok()) return RespondError(exchange, match.status());
    const absl::Status status = parts_.writer.faq().Delete(id, *match, WhoAsks(exchange));
    if (!status.ok()) return RespondError(exchange, status);
    catalog::JsonWriter writer;
    writer.BeginObject().Member("id", id).Member("status", "deleted").EndObject();
    RespondJson(exchange, 200, writer.Take());
  }

  void Import(Exchange& exchange, const std::string&) const {
    const Request& request = exchange.request();
    auto query = ParseFaqImport(request);
    if (!query.ok()) {
      if (!absl::IsUnimplemented(query.status())) return RespondError(exchange, query.status());
      return exchange.Respond(MakeErrorResponse(
          415, "unsupported_media_type", std::string(query.status().message()), "", request.id));
    }
    FaqChanger changer = ChangerOf(exchange);
    changer.dry_run = query->dry_run;
    catalog::FaqImportOptions options = FaqImportInto(parts_.reader, parts_.writer, changer);
    options.format = query->format;
    options.locale = query->locale;
    ResultStream out(exchange, "");
    catalog::FaqImporter importer(std::move(options), [&out](const catalog::FaqLineResult& result) {
      out.Take(ToJson(result) + "\n");
    });
    absl::Status status = importer.Push(request.body);
    const absl::Status finished = importer.Finish();
    if (status.ok()) status = finished;
    if (!status.ok()) return out.Fail(MakeErrorResponse(status, request.id));
    out.Finish();
  }

  void Changes(Exchange& exchange, const std::string&) const {
    const auto page = ParsePage(exchange.request());
    if (!page.ok()) return RespondError(exchange, page.status());
    uint64_t after = 0;
    const char* const end = page->cursor.data() + page->cursor.size();
    if (std::from_chars(page->cursor.data(), end, after).ptr != end) {
      return RespondError(exchange, absl::InvalidArgumentError("cursor: expected a number"));
    }
    auto changes = FaqChangesJson(parts_.reader.faq().entries(), after, page->limit);
    if (!changes.ok()) return RespondError(exchange, changes.status());
    RespondJson(exchange, 200, *std::move(changes));
  }

  void Suggest(Exchange& exchange, const std::string&) const {
    const auto page = ParsePage(exchange.request());
    if (!page.ok()) return RespondError(exchange, page.status());
    if (!parts_.asked) {
      return RespondError(exchange, absl::NotFoundError("faq: no traces are kept"));
    }
    const auto asked = parts_.asked();
    if (!asked.ok()) return RespondError(exchange, asked.status());
    const auto suggested =
        SuggestFaq(parts_.reader, *asked, {.limit = page->limit, .now_unix = parts_.now_unix()});
    if (!suggested.ok()) return RespondError(exchange, suggested.status());
    RespondJson(exchange, 200, FaqSuggestionsJson(*suggested));
  }

 private:
  static absl::Status NoSuchEntry() { return absl::NotFoundError("id: no such entry"); }

  FaqChanger ChangerOf(const Exchange& exchange) const {
    return {.who = WhoAsks(exchange), .dry_run = false, .now_unix = parts_.now_unix()};
  }

  /// The members of an entry, and what becomes of it now.
  absl::Status WriteEntry(const catalog::FaqEntry& entry, catalog::JsonWriter& writer) const {
    const auto broken = BrokenReferences(parts_.reader, entry.answer, parts_.now_unix());
    if (!broken.ok()) return broken.status();
    WriteFaqEntry(entry, *broken, parts_.now_unix(), writer);
    return absl::OkStatus();
  }

  static absl::StatusOr<catalog::FaqPut> PutOf(std::string_view body, const std::string& id,
                                               const catalog::FaqImportOptions& options,
                                               std::vector<catalog::TextWarning>& warnings) {
    const auto json = catalog::ParseJson(body);
    if (!json.ok()) return json.status();
    auto entry = catalog::FaqEntryFromJson(*json);
    if (!entry.ok()) return entry.status();
    if (!entry->id.empty() && entry->id != id) {
      return absl::InvalidArgumentError(
          fmt::format("id: expected {}, as in the address, found {}", id, entry->id.substr(0, 80)));
    }
    entry->id = id;
    return catalog::PrepareFaqPut(options, *std::move(entry), warnings);
  }

  void RunLookup(Exchange& exchange, FaqQuestion question) const {
    const auto begun = steady_clock::now();
    question.now_unix = parts_.now_unix();
    const auto reply = LookUpFaq(parts_.reader, question);
    if (!reply.ok()) return RespondError(exchange, reply.status());
    if (parts_.on_lookup) {
      parts_.on_lookup(*reply, std::chrono::duration<double>(steady_clock::now() - begun).count());
    }
    RespondJson(exchange, 200, FaqReplyJson(*reply));
  }

  const FaqRoutesParts parts_;
};

}  // namespace

std::vector<Route> MakeFaqRoutes(const FaqRoutesParts& parts) {
  const auto handlers = std::make_shared<FaqHandlers>(parts);
  const auto on = [handlers](WorkerPool& pool, FaqHandlers::Task task) {
    return [handlers, &pool, task](const ExchangePtr& exchange, std::string_view id) {
      handlers->Run(pool, exchange, id, task);
    };
  };
  return {
      {"POST", "/v1/faq/lookup", Access::kAsk,
       [handlers](const ExchangePtr& exchange, std::string_view) { handlers->Lookup(exchange); }},
      {"GET", "/v1/faq/entries", Access::kCatalog, on(parts.changes, &FaqHandlers::List)},
      Replayed({"POST", "/v1/faq/entries", Access::kCatalog,
                on(parts.imports, &FaqHandlers::Import), kLargestBody}),
      {"GET", "/v1/faq/entries/{id}", Access::kCatalog, on(parts.changes, &FaqHandlers::Show)},
      {"PUT", "/v1/faq/entries/{id}", Access::kCatalog, on(parts.changes, &FaqHandlers::Put)},
      {"DELETE", "/v1/faq/entries/{id}", Access::kCatalog, on(parts.changes, &FaqHandlers::Delete)},
      {"GET", "/v1/faq/changes", Access::kCatalog, on(parts.changes, &FaqHandlers::Changes)},
      {"GET", "/v1/faq/suggestions", Access::kCatalog, on(parts.changes, &FaqHandlers::Suggest)},
  };
}

}  // namespace emptor::services
