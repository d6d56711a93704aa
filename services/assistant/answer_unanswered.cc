// Which questions are noted as unanswered, for the staff of the shop.
#include <algorithm>
#include <utility>

#include "services/assistant/answer.h"

namespace emptor::services {

/// As the answer that code writes says it (phrasing.cc). Nothing: the question was answered, is no
/// matter of products and pages, or cannot be answered by anybody.
std::optional<UnansweredQuestion> Answer::FindUnanswered() {
  const Understanding& asked = understanding_;
  const bool is_other = asked.desk != DeskAct::kNone || asked.Has(Intent::kSmallTalk) ||
                        asked.contradicts || asked.lacks_subject || chosen_;
  if (is_other || retrieved_.cache == CacheUse::kHit) return std::nullopt;
  UnansweredQuestion question;
  const std::vector<Source>& sources = retrieved_.sources;
  if (!asked.not_sold.empty() || !asked.unsold_trade.empty()) {
    question.kind = UnansweredKind::kNotSold;
    return question;
  }
  if (sources.empty() && !retrieved_.is_about_shown) {
    question.kind = asked.asks_policy ? UnansweredKind::kNoPage : UnansweredKind::kNothingFound;
    return question;
  }
  const std::vector<Statement>& plan = Plan();
  const auto open = std::find_if(plan.begin(), plan.end(), [](const Statement& each) {
    return each.kind == Statement::Kind::kNotStated || each.kind == Statement::Kind::kNoneState;
  });
  if (open == plan.end()) return std::nullopt;
  question.kind = UnansweredKind::kNotStated;
  const auto at = static_cast<size_t>(open->source) - 1;
  if (open->source > 0 && at < sources.size()) question.product_id = sources[at].id();
  return question;
}

void Answer::NoteUnanswered() {
  auto question = parts_.has_reader ? FindUnanswered() : std::nullopt;
  if (!question) return;
  question->text = message_;
  question->locale = request_.locale;
  question->answer_id = id_;
  question->asked_unix = asked_unix_;
  parts_.conversations.NoteUnanswered(conversation_, *std::move(question));
}

}  // namespace emptor::services
