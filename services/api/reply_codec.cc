// Replies and stream events as JSON.
#include "services/api/reply_codec.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "catalog/product_json.h"
#include "services/api/filter_codec.h"
#include "services/grounding/product_names.h"

namespace emptor::services {
namespace {

using catalog::JsonWriter;

constexpr std::array<std::string_view, 7> kEventNames = {"start",    "products", "handoff", "delta",
                                                         "citation", "error",    "done"};
static_assert(std::variant_size_v<AssistEvent> == kEventNames.size());

/// Bytes of a title that a narrow card shows: three lines.
constexpr size_t kTitleOfCard = 56;

/// A tenth of a millisecond is enough.
double Rounded(double milliseconds) { return std::round(milliseconds * 10) / 10; }

struct EventWriter {
  std::string_view base_url, request_id;
  JsonWriter& writer;

  void operator()(const StartEvent& event) const {
    writer.BeginObject();
    WriteStartMembers(event, writer);
    writer.EndObject();
  }
  void operator()(const ProductsEvent& event) const {
    writer.BeginObject().Key("items");
    WriteCards(event.items, base_url, writer);
    writer.EndObject();
  }
  void operator()(const HandoffEvent& event) const {
    writer.BeginObject();
    WriteHandoffMembers(event, writer);
    writer.EndObject();
  }
  void operator()(const DeltaEvent& event) const {
    writer.BeginObject().Member("text", event.text).EndObject();
  }
  void operator()(const Citation& event) const { WriteCitation(event, writer); }
  void operator()(const ErrorEvent& event) const {
    writer.BeginObject();
    writer.Member("code", event.code).Member("message", event.message);
    writer.Member("retryable", event.retryable).Member("request_id", request_id);
    writer.EndObject();
  }
  void operator()(const DoneEvent& event) const {
    writer.BeginObject();
    WriteDoneMembers(event, writer);
    writer.EndObject();
  }
};

}  // namespace

void WriteProductReply(const catalog::Product& product, const catalog::PayablePrice& shown,
                       std::string_view base_url, JsonWriter& writer) {
  catalog::WriteProductMembers(product, &shown, writer);
  writer.Member("url", std::string(base_url) + "/p/" + product.id);
  if (product.image_link.empty()) return;
  const bool is_path = product.image_link[0] == '/';
  writer.Member("image_url",
                is_path ? std::string(base_url) + product.image_link : product.image_link);
}

void WriteCardMembers(const ProductCard& card, std::string_view base_url, JsonWriter& writer) {
  writer.Member("n", card.n);
  WriteProductReply(card.product, card.shown, base_url, writer);
  writer.Member("score", std::round(card.score * 1e4) / 1e4).Member("why", card.why);
}

void WriteCards(std::span<const ProductCard> cards, std::string_view base_url, JsonWriter& writer) {
  std::vector<const catalog::Product*> products;
  for (const ProductCard& card : cards) products.push_back(&card.product);
  const std::vector<std::string> apart = SetApart(products, kTitleOfCard);
  writer.BeginArray();
  for (size_t i = 0; i < cards.size(); ++i) {
    writer.BeginObject();
    WriteCardMembers(cards[i], base_url, writer);
    if (!apart[i].empty()) writer.Member("variant", apart[i]);
    writer.EndObject();
  }
  writer.EndArray();
}

std::string_view EventName(const AssistEvent& event) { return kEventNames[event.index()]; }

std::string EventJson(const AssistEvent& event, std::string_view base_url,
                      std::string_view request_id) {
  JsonWriter writer;
  std::visit(EventWriter{base_url, request_id, writer}, event);
  return writer.Take();
}

std::string FormatSse(int64_t id, std::string_view name, std::string_view data) {
  return fmt::format("id: {}\nevent: {}\ndata: {}\n\n", id, name, data);
}

void WriteCitation(const Citation& citation, JsonWriter& writer) {
  writer.BeginObject().Member("n", citation.n).Key("product_id");
  if (citation.product_id.empty()) {
    writer.Null();
  } else {
    writer.String(citation.product_id);
  }
  writer.Member("passage_id", citation.passage_id).Member("quote", citation.quote);
  if (!citation.title.empty()) writer.Member("title", citation.title);
  if (citation.page > 0) writer.Member("page", citation.page);
  writer.EndObject();
}

void WriteHandoffMembers(const HandoffEvent& handoff, JsonWriter& writer) {
  writer.Member("kind", handoff.kind).Key("contact");
  if (!handoff.contact) {
    writer.Null();
    return;
  }
  writer.BeginObject().Member("id", handoff.contact->id).Member("title", handoff.contact->title);
  writer.Member("text", handoff.contact->text).Member("link", handoff.contact->link).EndObject();
}

void WriteStartMembers(const StartEvent& start, JsonWriter& writer) {
  writer.Member("id", start.id).Member("conversation_id", start.conversation_id);
  writer.Member("model", start.model).Key("intents").BeginArray();
  for (const Intent intent : start.intents) writer.String(ToString(intent));
  writer.EndArray().Key("filters");
  WriteFilter(start.filter, writer);
  WriteRelaxedMembers(start.asked, start.relaxed, start.explanation, writer);
  constexpr std::string_view kCacheUses[] = {"bypass", "miss", "hit"};
  writer.Member("cache", kCacheUses[static_cast<size_t>(start.cache)]);
  if (start.cache != CacheUse::kHit) return;
  const bool is_of_faq = start.cache_source == CacheSource::kFaq;
  writer.Member("cache_source", is_of_faq ? "faq" : "answers");
  if (start.age_seconds) writer.Member("age", *start.age_seconds);
}

void WriteDoneMembers(const DoneEvent& done, JsonWriter& writer) {
  writer.Member("finish_reason", done.finish_reason).Key("usage").BeginObject();
  writer.Member("prompt_tokens", done.prompt_tokens);
  writer.Member("completion_tokens", done.completion_tokens);
  writer.Member("total_tokens", done.prompt_tokens + done.completion_tokens).EndObject();
  const AssistTimings& timings = done.timings;
  writer.Key("timings").BeginObject();
  writer.Member("understand", Rounded(timings.understand));
  writer.Member("retrieve", Rounded(timings.retrieve)).Member("queue", Rounded(timings.queue));
  writer.Member("ttft", Rounded(timings.ttft)).Member("generate", Rounded(timings.generate));
  writer.Member("total", Rounded(timings.total)).EndObject();
  writer.Member("answer_step", done.answer_step).Key("grounded").BeginObject();
  writer.Member("references", done.references).Member("kept", done.kept);
  writer.Member("replaced", done.replaced).Member("dropped", done.dropped).EndObject();
}

}  // namespace emptor::services
