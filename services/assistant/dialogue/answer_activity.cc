// A map of the latest answers, oldest first out.
#include "services/assistant/dialogue/answer_activity.h"

#include <algorithm>
#include <utility>

namespace emptor::services {
namespace {

constexpr std::array<std::string_view, kShopperEvents> kEventNames = {"view", "click",
                                                                      "add_to_cart"};
constexpr std::array<std::string_view, kAttributions> kAttributionNames = {"none", "model", "code",
                                                                           "mixed"};

Attribution ParseStep(std::string_view step) {
  for (size_t i = 1; i < kAttributions; ++i) {
    if (kAttributionNames[i] == step) return static_cast<Attribution>(i);
  }
  return Attribution::kNone;
}

}  // namespace

std::string_view ToString(ShopperEvent event) { return kEventNames[static_cast<size_t>(event)]; }

std::optional<ShopperEvent> ParseShopperEvent(std::string_view text) {
  for (size_t i = 0; i < kShopperEvents; ++i) {
    if (kEventNames[i] == text) return static_cast<ShopperEvent>(i);
  }
  return std::nullopt;
}

std::string_view ToString(Attribution attribution) {
  return kAttributionNames[static_cast<size_t>(attribution)];
}

void ActivityCounts::Add(const ActivityCounts& other) {
  for (size_t event = 0; event < kShopperEvents; ++event) {
    for (size_t by = 0; by < kAttributions; ++by) events[event][by] += other.events[event][by];
  }
  answers += other.answers;
  up += other.up;
  down += other.down;
}

void AnswerActivity::NoteAnswer(Answer answer) {
  const std::lock_guard lock(mutex_);
  ++counts_.answers;
  std::string id = answer.id;
  std::vector<uint8_t> had(answer.products.size());
  if (!entries_.emplace(id, Entry{std::move(answer), std::move(had), {}}).second) return;
  order_.push_back(std::move(id));
  if (order_.size() <= kMaxAnswers) return;
  entries_.erase(order_.front());
  order_.pop_front();
}

std::optional<std::string> AnswerActivity::ConversationOf(const std::string& answer_id) const {
  const std::lock_guard lock(mutex_);
  const auto found = entries_.find(answer_id);
  return found == entries_.end() ? std::nullopt
                                 : std::optional(found->second.answer.conversation_id);
}

std::optional<std::string> AnswerActivity::AnswerOfRequest(const std::string& request_id) const {
  const std::lock_guard lock(mutex_);
  for (const auto& [id, entry] : entries_) {
    if (entry.answer.request_id == request_id) return id;
  }
  return std::nullopt;
}

std::vector<AnswerActivity::Shown> AnswerActivity::Latest(size_t limit) const {
  std::vector<Shown> latest;
  const std::lock_guard lock(mutex_);
  for (auto id = order_.rbegin(); id != order_.rend() && latest.size() < limit; ++id) {
    latest.push_back({*id, entries_.at(*id).answer.conversation_id});
  }
  return latest;
}

void AnswerActivity::Forget(const std::string& conversation_id) {
  const std::lock_guard lock(mutex_);
  order_.remove_if([&](const std::string& id) {
    const auto found = entries_.find(id);
    if (found->second.answer.conversation_id != conversation_id) return false;
    entries_.erase(found);
    return true;
  });
}

Attribution AnswerActivity::CountEvent(ShopperEvent event, const std::string& answer_id,
                                       const std::string& product_id) {
  const auto kind = static_cast<size_t>(event);
  Attribution attribution = Attribution::kNone;
  const std::lock_guard lock(mutex_);
  if (const auto found = entries_.find(answer_id); found != entries_.end()) {
    Entry& entry = found->second;
    const auto& products = entry.answer.products;
    const auto at = std::find(products.begin(), products.end(), product_id);
    if (at != products.end()) {
      uint8_t& had = entry.had[static_cast<size_t>(at - products.begin())];
      const auto bit = static_cast<uint8_t>(1u << kind);
      if ((had & bit) == 0) attribution = ParseStep(entry.answer.answer_step);
      had |= bit;
    }
  }
  ++counts_.events[kind][static_cast<size_t>(attribution)];
  return attribution;
}

bool AnswerActivity::CountRating(const std::string& answer_id, bool is_up) {
  const std::lock_guard lock(mutex_);
  if (const auto found = entries_.find(answer_id); found != entries_.end()) {
    if (found->second.is_up == is_up) return false;
    found->second.is_up = is_up;
  }
  ++(is_up ? counts_.up : counts_.down);
  return true;
}

ActivityCounts AnswerActivity::counts() const {
  const std::lock_guard lock(mutex_);
  return counts_;
}

}  // namespace emptor::services
