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

void UnansweredQuestions::Note(UnansweredQuestion question) {
  // Masked before it is cut: half a number would not be seen as one.
  const std::string masked = MaskPrivate(question.text);
  question.text = std::string(catalog::Utf8Prefix(masked, kMaxTextBytes));
  const std::lock_guard lock(mutex_);
  auto& of_kind = questions_[static_cast<size_t>(question.kind)];
  of_kind.push_back(std::move(question));
  if (of_kind.size() > kMaxQuestions) of_kind.pop_front();
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
  std::map<std::pair<UnansweredKind, std::string>, UnansweredGroup> by_key;
  {
    const std::lock_guard lock(mutex_);
    for (auto& of_kind : questions_) {
      std::erase_if(of_kind, [&](const auto& each) {
        return each.asked_unix + max_age_.count() <= now_unix;
      });
      for (const UnansweredQuestion& question : of_kind) {
        UnansweredGroup& group = by_key[{question.kind, retrieval::ExactKey(question.text)}];
        ++group.count;
        group.last = question;
      }
    }
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
