// The state before an answer and after it: read from the store, looked up, or made again.
#include <algorithm>
#include <utility>

#include "retrieval/text/measure.h"
#include "services/assistant/answer.h"
#include "services/assistant/words/cues.h"

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
  conversation_ = parts_.conversations.Open(request_.conversation_id, request_.owner);
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
  const AssistantParts parts = ForNobody(parts_);
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
    if (!turn.ok()) continue;
    for (ConversationTurn& part : answer->TurnsOfParts()) Add(std::move(part), found.state);
    Add(*std::move(turn), found.state);
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

/// Of what was advised for a need, later messages say more by its name.
std::optional<ProductType> Answer::ShownType() const {
  const auto& type = understanding_.type;
  if (retrieved_.leaves_type) return std::nullopt;
  if (!type || type->advised.empty()) return type;
  auto shown = FindProductType(type->advised.front(), "en", *parts_.shop.profile());
  if (!shown) return type;
  shown->alternatives = type->alternatives;
  return shown;
}

/// The words of the message are the name of a product, and demand nothing of other goods: it is
/// asked about, or named by the number of its model.
bool Answer::IsNameOfProduct(bool asks) const {
  if (!retrieved_.is_about_shown || !understanding_.referenced_products.empty() ||
      understanding_.follows_up) {
    return false;
  }
  const FoldedMessage folded(message_);
  const bool is_question = asks || AsksYesOrNo(message_, folded);
  const auto& words = understanding_.words;
  const bool has_code = std::any_of(words.begin(), words.end(), [](const WordCondition& each) {
    return !each.quantity && each.text.find_first_of("0123456789") != std::string::npos &&
           !retrieval::ParsePlainNumber(each.text) && !retrieval::ParseMeasure(each.text);
  });
  return has_code || (is_question && !HasCue(folded, Cue::kMore));
}

ConversationTurn Answer::MakeTurn() const {
  ConversationTurn turn;
  turn.question = message_;
  turn.page_product_id = request_.page_product_id;
  turn.search_text = understanding_.search_text;
  turn.filter = retrieved_.asked;
  turn.language = understanding_.language;
  turn.type = ShownType();
  turn.words = understanding_.words;
  turn.min_reviews = understanding_.min_reviews;
  turn.ranks_all = understanding_.ranks_all;
  // After a question about a named product the topic is its type, not its brand; a search that
  // found one product keeps its conditions.
  const bool asks = understanding_.Has(Intent::kProductDetails);
  if (IsNameOfProduct(asks)) turn.words.clear();
  if (retrieved_.is_about_shown && asks && turn.type) {
    turn.filter = {.categories = turn.type->categories, .locale = turn.filter.locale};
  }
  turn.asked_key = asked_key_;
  if (understanding_.rank && !retrieved_.why.empty()) turn.winner = winner_;
  if (understanding_.asks_policy) turn.policy_question = understanding_.policy_question;
  for (const Source& source : retrieved_.sources) {
    if (source.product() != nullptr) turn.shown_products.push_back(source.id());
  }
  auto& cited = turn.cited_products;
  for (const std::string& id : cited_) {
    if (std::find(cited.begin(), cited.end(), id) == cited.end()) cited.push_back(id);
  }
  // "The cheaper of the first two, is it loud": the other one is not forgotten.
  if (understanding_.asks_fact_of_best) {
    turn.compared_products = understanding_.referenced_products;
  }
  TurnKind kind = TurnKind::kSearched;
  if (understanding_.desk != DeskAct::kNone || retrieved_.why.empty()) {
    kind = TurnKind::kNoProducts;
  } else if (!understanding_.referenced_products.empty() && !understanding_.follows_up &&
             !understanding_.is_shop_name) {
    kind = TurnKind::kReferred;
  }
  // Of the variants of one name, the first is what "it" means.
  if (understanding_.is_shop_name && !understanding_.is_pair_named && !retrieved_.why.empty()) {
    turn.winner = turn.shown_products.front();
  }
  const std::optional<ProductType> type = turn.type;
  turn = NextTurn(turns_, kind, std::move(turn));
  ListParts(turn);
  turn = WithChange(std::move(turn));
  const std::string settled = FindSettled();
  if (settled.empty()) return turn;
  // "The vexmere monitor, then", after mice.
  if (type) turn.type = type;
  return SettleOn(settled, std::move(turn));
}

/// What the shopper has seen of this answer.
ConversationAnswer Answer::MakeShownAnswer() const {
  ConversationAnswer answer;
  answer.id = id_;
  answer.question = request_.message;
  answer.asked_unix = asked_unix_;
  answer.answered_unix = parts_.now_unix();
  answer.text = shown_text_;
  answer.answer_step = answer_step_;
  answer.model = UsesModel() ? parts_.generator->model_name() : "none";
  answer.locale = request_.locale;
  answer.currency = request_.currency;
  for (const ProductCard& card : shown_cards_) {
    answer.cards.push_back({card.n, card.product.id, card.why});
  }
  answer.citations = citations_;
  return answer;
}

void Answer::Remember() {
  ConversationTurn turn = MakeTurn();
  NoteTurn(turn);
  AnswerActivity::Answer shown{id_, conversation_.id, request_.request_id, answer_step_, {}};
  for (const ProductCard& card : shown_cards_) shown.products.push_back(card.product.id);
  if (parts_.has_reader) parts_.conversations.activity().NoteAnswer(std::move(shown));
  if (request_.is_stored) {
    for (ConversationTurn& part : TurnsOfParts()) {
      parts_.conversations.Append(conversation_, std::move(part));
    }
    if (parts_.conversations.Append(conversation_, std::move(turn), MakeShownAnswer())) {
      NoteUnanswered();
    }
    return;
  }
  std::vector<ConversationTurn> turns = turns_;
  Add(std::move(turn), turns);
  parts_.histories->Put(ExtendHash(history_hash_, {request_.message, shown_text_}),
                        std::move(turns));
  NoteUnanswered();
}

}  // namespace emptor::services
