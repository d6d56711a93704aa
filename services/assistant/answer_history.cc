// The state before an answer and after it: read from the store, looked up, or made again.
#include <algorithm>
#include <utility>

#include "services/assistant/answer.h"

namespace emptor::services {
namespace {

using std::chrono::steady_clock;

/// Of a turn that is made again: nobody reads it.
class SilentListener final : public AssistListener {
 public:
  void OnRefused(const absl::Status&) override {}
  bool OnEvent(const AssistEvent&) override { return true; }
};

void Add(ConversationTurn turn, std::vector<ConversationTurn>& turns) {
  turns.push_back(std::move(turn));
  if (turns.size() > kMaxReplayedTurns) turns.erase(turns.begin());
}

}  // namespace

std::vector<ConversationTurn> Answer::TurnsBefore() {
  if (!request_.is_stored) return MakeHistoryAgain();
  conversation_ = parts_.conversations.Open(request_.conversation_id);
  std::vector<ConversationTurn> turns = std::exchange(conversation_.turns, {});
  if (!turns.empty() || request_.history.empty()) return turns;
  turns = MakeHistoryAgain();
  for (const ConversationTurn& turn : turns) parts_.conversations.Append(conversation_, turn);
  return turns;
}

/// From the longest beginning whose state is known. Only questions are made again: what the client
/// tells about answers is no source of facts.
std::vector<ConversationTurn> Answer::MakeHistoryAgain() {
  const std::vector<HistoryTurn>& history = request_.history;
  const std::vector<std::string> hashes =
      HashHistory(request_.locale + "\n" + request_.currency, history);
  history_hash_ = hashes.back();
  HistoryStates::Found found = parts_.histories->FindLongest(hashes);
  if (found.turns == history.size()) return std::move(found.state);
  const size_t first = history.size() - std::min(history.size(), kMaxReplayedTurns);
  const auto deadline = steady_clock::now() + options_.replay_budget;
  AssistantParts parts = parts_;
  parts.generator = nullptr;
  parts.on_answer = nullptr;
  parts.on_trace = nullptr;
  for (size_t i = std::max(found.turns, first); i < history.size(); ++i) {
    const bool is_late = steady_clock::now() > deadline && i + 1 < history.size();
    if (history[i].question.empty() || is_late || request_.stop.stop_requested()) continue;
    AssistRequest request = request_;
    request.message = history[i].question;
    request.history.clear();
    const auto answer = std::make_shared<Answer>(options_, parts, std::move(request),
                                                 std::make_shared<SilentListener>());
    // A turn that fails now would fail for the question that follows, too, which reports it.
    auto turn = answer->Replay(found.state);
    if (turn.ok()) Add(*std::move(turn), found.state);
  }
  parts_.histories->Put(history_hash_, found.state);
  return std::move(found.state);
}

absl::StatusOr<ConversationTurn> Answer::Replay(std::vector<ConversationTurn> before) {
  turns_ = std::move(before);
  if (absl::Status status = Prepare(); !status.ok()) return status;
  FinishWithRecords();
  return MakeTurn();
}

void Answer::Remember() {
  ConversationTurn turn = MakeTurn();
  NoteTurn(turn);
  if (request_.is_stored) {
    parts_.conversations.Append(conversation_, std::move(turn));
    return;
  }
  std::vector<ConversationTurn> turns = turns_;
  Add(std::move(turn), turns);
  parts_.histories->Put(ExtendHash(history_hash_, {request_.message, shown_text_}),
                        std::move(turns));
}

}  // namespace emptor::services
