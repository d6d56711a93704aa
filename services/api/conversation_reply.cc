// Stored answers with live cards.
#include "services/api/conversation_reply.h"

#include "catalog/encoding/json.h"
#include "catalog/encoding/timestamp.h"
#include "services/api/reply_codec.h"

namespace emptor::services {
namespace {

using catalog::FormatRfc3339;
using catalog::JsonWriter;

void WriteHead(const std::string& id, const ConversationHead& head, JsonWriter& writer) {
  writer.Member("id", id).Member("title", head.title);
  writer.Member("created_at", FormatRfc3339(head.created_unix));
  writer.Member("updated_at", FormatRfc3339(head.used_unix));
  writer.Member("answers", static_cast<int64_t>(head.answers));
}

void WriteProducts(const ConversationAnswer& answer, const ConversationReply& reply,
                   JsonWriter& writer) {
  const catalog::Market market{catalog::RegionOfLocale(answer.locale), answer.currency};
  std::vector<ProductCard> cards;
  for (const ShownCard& shown : answer.cards) {
    auto product = reply.find_product(shown.product_id);
    if (!product) continue;
    ProductCard& card = cards.emplace_back();
    card.n = shown.n;
    card.shown = catalog::ComputePayablePrice(*product, reply.now_unix, market);
    card.product = *std::move(product);
    card.why = shown.why;
  }
  writer.Key("products");
  WriteCards(cards, reply.base_url, writer);
}

void WriteAnswer(const ConversationAnswer& answer, const ConversationReply& reply,
                 JsonWriter& writer) {
  writer.BeginObject().Member("role", "user").Member("text", answer.question);
  writer.Member("created_at", FormatRfc3339(answer.asked_unix)).EndObject();
  writer.BeginObject().Member("role", "assistant").Member("id", answer.id);
  writer.Member("text", answer.text).Member("answer_step", answer.answer_step);
  writer.Member("model", answer.model);
  if (!answer.locale.empty()) writer.Member("locale", answer.locale);
  if (!answer.currency.empty()) writer.Member("currency", answer.currency);
  WriteProducts(answer, reply, writer);
  writer.Key("citations").BeginArray();
  for (const Citation& citation : answer.citations) WriteCitation(citation, writer);
  writer.EndArray().Member("created_at", FormatRfc3339(answer.answered_unix));
  if (const auto feedback = reply.find_feedback(answer.id)) {
    writer.Key("feedback").BeginObject();
    writer.Member("rating", feedback->is_up ? "up" : "down");
    if (!feedback->reason.empty()) writer.Member("reason", feedback->reason);
    if (!feedback->comment.empty()) writer.Member("comment", feedback->comment);
    writer.EndObject();
  }
  writer.EndObject();
}

}  // namespace

std::string ConversationListJson(const std::vector<ConversationStore::Listed>& listed,
                                 const std::string& next_cursor) {
  JsonWriter writer;
  writer.BeginObject().Key("items").BeginArray();
  for (const auto& [id, head] : listed) {
    writer.BeginObject();
    WriteHead(id, head, writer);
    writer.EndObject();
  }
  writer.EndArray();
  if (!next_cursor.empty()) writer.Member("next_cursor", next_cursor);
  return writer.EndObject().Take();
}

std::string ConversationHeadJson(const std::string& id, const ConversationHead& head) {
  JsonWriter writer;
  writer.BeginObject();
  WriteHead(id, head, writer);
  return writer.EndObject().Take();
}

std::string ConversationJson(const ConversationReply& reply) {
  JsonWriter writer;
  writer.BeginObject();
  WriteHead(reply.id, reply.record.head, writer);
  writer.Key("messages").BeginArray();
  for (const ConversationAnswer& answer : reply.record.answers) {
    WriteAnswer(answer, reply, writer);
  }
  return writer.EndArray().EndObject().Take();
}

}  // namespace emptor::services
