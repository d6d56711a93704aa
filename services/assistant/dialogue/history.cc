// A chain of digests, and a bounded map.
#include "services/assistant/dialogue/history.h"

#include <fmt/format.h>

#include <utility>

#include "catalog/encoding/sha256.h"

namespace emptor::services {
namespace {

/// Lengths keep "a" + "bc" apart from "ab" + "c".
std::string Digest(std::initializer_list<std::string_view> parts) {
  catalog::Sha256 sha;
  for (const std::string_view part : parts) {
    const std::string length = std::to_string(part.size()) + ":";
    sha.Update(length.data(), length.size());
    sha.Update(part.data(), part.size());
  }
  std::string hex;
  const catalog::Digest digest = sha.Finish();
  for (size_t i = 0; i < 16; ++i) hex += fmt::format("{:02x}", digest[i]);
  return hex;
}

std::string_view WithoutBlanksAtTheEnd(std::string_view text) {
  const size_t last = text.find_last_not_of(" \t\r\n");
  return text.substr(0, last == std::string_view::npos ? 0 : last + 1);
}

}  // namespace

std::string ExtendHash(std::string_view before, const HistoryTurn& turn) {
  return Digest({before, turn.question, WithoutBlanksAtTheEnd(turn.answer)});
}

std::vector<std::string> HashHistory(std::string_view salt, std::span<const HistoryTurn> history) {
  std::vector<std::string> hashes = {Digest({salt})};
  for (const HistoryTurn& turn : history) hashes.push_back(ExtendHash(hashes.back(), turn));
  return hashes;
}

HistoryStates::HistoryStates(Limits limits, Now now) : limits_(limits), now_(std::move(now)) {}

HistoryStates::Found HistoryStates::FindLongest(std::span<const std::string> hashes) const {
  const std::lock_guard lock(mutex_);
  for (size_t turns = hashes.size(); turns-- > 1;) {
    const auto found = entries_.find(hashes[turns]);
    if (found == entries_.end() || now_() - found->second.stored > limits_.idle) continue;
    return {turns, found->second.state};
  }
  return {};
}

void HistoryStates::Put(const std::string& hash, std::vector<ConversationTurn> state) {
  const std::lock_guard lock(mutex_);
  if (const auto known = entries_.find(hash); known != entries_.end()) {
    order_.erase(known->second.place);
    entries_.erase(known);
  }
  order_.push_back(hash);
  entries_.emplace(hash, Entry{std::move(state), now_(), std::prev(order_.end())});
  while (entries_.size() > limits_.states ||
         now_() - entries_.at(order_.front()).stored > limits_.idle) {
    entries_.erase(order_.front());
    order_.pop_front();
  }
}

}  // namespace emptor::services
