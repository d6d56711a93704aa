// Collects the events of an answer.
#include "services/eval/conversation_runner.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace emptor::services {
namespace {

using catalog::JsonValue;
using std::chrono::steady_clock;

std::string TextOf(const JsonValue& data, std::string_view name) {
  const JsonValue* member = data.Find(name);
  return member != nullptr && member->is_string() ? member->as_string() : "";
}

/// Fills an answer from its events.
class Collector {
 public:
  explicit Collector(ShownAnswer& answer) : answer_(answer) {}

  void OnEvent(std::string_view name, const JsonValue& data) {
    const double now =
        std::chrono::duration<double, std::milli>(steady_clock::now() - begun_).count();
    answer_.total_ms = now;
    if (name == "start") conversation_id_ = TextOf(data, "conversation_id");
    if (name == "products") AddCards(data);
    if (name == "delta") {
      if (answer_.text.empty()) answer_.first_token_ms = now;
      answer_.text += TextOf(data, "text");
    }
    if (name == "citation") AddCitation(data);
    if (name == "handoff") answer_.handoffs.push_back(TextOf(data, "kind"));
    if (name == "error") answer_.error = TextOf(data, "code");
    if (name == "done") AddDone(data);
  }
  const std::string& conversation_id() const { return conversation_id_; }

 private:
  void AddCards(const JsonValue& data) {
    const JsonValue* items = data.Find("items");
    if (items == nullptr || !items->is_array()) return;
    for (const JsonValue& item : items->as_array()) {
      answer_.cards.push_back(TextOf(item, "id"));
      const JsonValue* n = item.Find("n");
      if (n != nullptr && n->is_int()) {
        answer_.cited[static_cast<int>(n->as_int())] = answer_.cards.back();
      }
    }
  }
  void AddCitation(const JsonValue& data) {
    answer_.quotes.push_back(TextOf(data, "quote"));
    const std::string product = TextOf(data, "product_id");
    const JsonValue* n = data.Find("n");
    if (n != nullptr && n->is_int()) answer_.cited[static_cast<int>(n->as_int())] = product;
    if (!product.empty()) return;
    std::string id = TextOf(data, "passage_id");
    id.resize(std::min(id.find('#'), id.size()));
    const size_t part = id.rfind(".p");  // of a long document
    const bool is_part = part != std::string::npos && part + 2 < id.size() &&
                         id.find_first_not_of("0123456789", part + 2) == std::string::npos;
    answer_.documents.push_back(is_part ? id.substr(0, part) : id);
  }
  void AddDone(const JsonValue& data) {
    answer_.answer_step = TextOf(data, "answer_step");
    const JsonValue* timings = data.Find("timings");
    const JsonValue* understand = timings == nullptr ? nullptr : timings->Find("understand");
    if (understand != nullptr && understand->is_number()) {
      answer_.understand_ms = understand->as_double();
    }
  }

  ShownAnswer& answer_;
  const steady_clock::time_point begun_ = steady_clock::now();
  std::string conversation_id_;
};

}  // namespace

absl::StatusOr<std::vector<JudgedTurn>> HoldConversations(
    const std::vector<CaseConversation>& conversations, const GoldRecords& records,
    const AskAssistant& ask) {
  std::vector<JudgedTurn> judged;
  for (const CaseConversation& conversation : conversations) {
    std::vector<ShownAnswer> answers;
    std::string conversation_id;
    for (size_t i = 0; i < conversation.turns.size(); ++i) {
      ShownAnswer& answer = answers.emplace_back();
      Collector collector(answer);
      const absl::Status status =
          ask({conversation.turns[i].say, conversation_id, conversation.locale},
              [&](std::string_view name, const JsonValue& data) { collector.OnEvent(name, data); });
      if (!status.ok()) return status;
      if (!collector.conversation_id().empty()) conversation_id = collector.conversation_id();
      judged.push_back({&conversation, i, answer, JudgeAnswer(conversation, answers, records)});
    }
  }
  return judged;
}

}  // namespace emptor::services
