// A message that is about known products of its conversation.
#include <algorithm>

#include "services/assistant/reading/act_classifier.h"
#include "services/assistant/reading/message_reader.h"
#include "services/assistant/schema/key_ranking.h"

namespace emptor::services {
namespace {

bool Shows(const ConversationTurn& turn, const std::string& id) {
  const auto& shown = turn.shown_products;
  return std::find(shown.begin(), shown.end(), id) != shown.end();
}

}  // namespace

Understanding MessageReader::RunAbout(const std::vector<std::string>& products) {
  result_.message = input_.message;
  const auto shows = [&](const auto& turn) { return Shows(turn, products.front()); };
  const auto turn = std::find_if(input_.turns.rbegin(), input_.turns.rend(), shows);
  if (turn != input_.turns.rend() && turn != input_.turns.rbegin()) {
    const bool is_of_topic = turn->type && last_->type && turn->type->name == last_->type->name;
    if (!is_of_topic) RecallTurn(*turn);
  }
  result_.referenced_products = products;
  guesses_ = GuessActs(input_.message);
  result_.type = last_->type;
  if (result_.type && input_.schema_of) {
    schema_ = input_.schema_of(*result_.type, result_.language);
  }
  ReadConditions();
  ReadDemands();
  if (has_list()) result_.list = List();
  ReadSum();
  // A sum of other products is none.
  if (result_.referenced_products != products) {
    result_.referenced_products = products;
    result_.quantities.clear();
  }
  const bool ranks = rank_ && products.size() > 1 && (AsksRank() || rank_->is_of_type());
  const TurnRole role = ranks ? TurnRole::kRankList : TurnRole::kAboutShown;
  Follow({role, Confidence::kSure, ranks ? "ranks what it is about" : "is about these"});
  ReadCartCount();
  Finish();
  return std::move(result_);
}

}  // namespace emptor::services
