// Questions in the order of their answers; equal ones become a group when they are listed.
#include "services/assistant/dialogue/unanswered_questions.h"

#include <algorithm>
#include <map>
#include <utility>

#include "catalog/encoding/utf8.h"
#include "retrieval/cache/question_text.h"
#include "services/faq/private_text.h"

namespace emptor::services {

std::string_view ToString(UnansweredKind kind) {
  switch (kind) {
    case UnansweredKind::kNothingFound:
      return "nothing_found";
    case UnansweredKind::kNotSold:
      return "not_sold";
    case UnansweredKind::kNoPage:
      return "no_page";
    case UnansweredKind::kNotStated:
      return "not_stated";
    case UnansweredKind::kEmptySearch:
      return "empty_search";
  }
  return "";
}

MaskedQuestion::MaskedQuestion(UnansweredQuestion question) : question_(std::move(question)) {
  // Masked before it is cut: half a number would not be seen as one.
  const std::string masked = MaskPrivate(question_.text);
  question_.text = std::string(catalog::Utf8Prefix(masked, kMaxTextBytes));
}

bool UnansweredQuestions::HasEnded(const UnansweredQuestion& question, int64_t now_unix) const {
  return question.asked_unix + max_age_.count() <= now_unix;
}

void UnansweredQuestions::Note(MaskedQuestion question) {
  const int64_t now_unix = question.question_.asked_unix;
  const auto kind = static_cast<size_t>(question.question_.kind);
  const std::lock_guard lock(mutex_);
  for (auto& of_kind : questions_) {
    while (!of_kind.empty() && HasEnded(of_kind.front(), now_unix)) of_kind.pop_front();
  }
  questions_[kind].push_back(std::move(question.question_));
  if (questions_[kind].size() > kMaxQuestions) questions_[kind].pop_front();
}

bool UnansweredQuestions::HasOf(const std::string& conversation_id) const {
  if (conversation_id.empty()) return false;
  const std::lock_guard lock(mutex_);
  return std::any_of(questions_.begin(), questions_.end(), [&](const auto& of_kind) {
    return std::any_of(of_kind.begin(), of_kind.end(),
                       [&](const auto& each) { return each.conversation_id == conversation_id; });
  });
}

void UnansweredQuestions::Forget(const std::string& conversation_id) {
  if (conversation_id.empty()) return;
  const std::lock_guard lock(mutex_);
  for (auto& of_kind : questions_) {
    std::erase_if(of_kind,
                  [&](const auto& each) { return each.conversation_id == conversation_id; });
  }
}

std::vector<UnansweredGroup> UnansweredQuestions::List(size_t limit, int64_t now_unix) {
  std::vector<UnansweredQuestion> questions;
  {
    const std::lock_guard lock(mutex_);
    for (auto& of_kind : questions_) {
      std::erase_if(of_kind, [&](const auto& each) { return HasEnded(each, now_unix); });
      questions.insert(questions.end(), of_kind.begin(), of_kind.end());
    }
  }
  // Without the lock: shoppers' answers wait for it.
  std::map<std::pair<UnansweredKind, std::string>, UnansweredGroup> by_key;
  for (UnansweredQuestion& question : questions) {
    UnansweredGroup& group = by_key[{question.kind, retrieval::ExactKey(question.text)}];
    ++group.count;
    group.last = std::move(question);
  }
  std::vector<UnansweredGroup> groups;
  for (auto& [key, group] : by_key) groups.push_back(std::move(group));
  std::stable_sort(groups.begin(), groups.end(), [](const auto& a, const auto& b) {
    return a.count != b.count ? a.count > b.count : a.last.asked_unix > b.last.asked_unix;
  });
  if (groups.size() > limit) groups.resize(limit);
  return groups;
}

}  // namespace emptor::services
