// Goods that a sum adds to what was shown: "how much is it with a neck pillow".
#include <algorithm>
#include <utility>

#include "retrieval/text/fold.h"
#include "services/assistant/answer.h"
#include "services/assistant/search/name_match.h"

namespace emptor::services {

/// The first product that the conversation would show for the name of goods; empty: the shop has
/// none that is what it says.
absl::StatusOr<std::string> Answer::FindFirstOf(const std::string& goods) {
  const auto profile = parts_.shop.profile();
  const auto own_names = parts_.types->NamesOf(parts_.shop);
  Understanding asked =
      services::Understand(MakeUnderstandingInput(goods, *profile, own_names.get()));
  const bool searches = asked.desk == DeskAct::kNone && !asked.asks_policy &&
                        asked.not_sold.empty() && asked.missing.empty() && asked.type;
  if (!searches) return std::string();
  const auto table = TableOf(*asked.type);
  if (asked.filter.locale.empty()) {
    asked.filter.locale = table == nullptr ? FilterLocale(asked.language) : table->locale;
  }
  asked.referenced_products.clear();
  const RetrievalInput input{asked, goods, {}, {}, table, parts_.now_unix(), market_};
  auto found = Retrieve(parts_.shop, options_.retriever, input);
  if (!found.ok()) return found.status();
  // What earlier turns asked for may have been given up before.
  const FoldedMessage said(goods);
  const bool lacks_said =
      std::any_of(found->lacking.begin(), found->lacking.end(),
                  [&](const std::string& each) { return said.Has(retrieval::FoldWords(each)); });
  const bool is_it = !found->why.empty() && (found->relaxed.empty() || asked.follows_up) &&
                     !lacks_said && found->not_sold.empty();
  return is_it ? found->sources.front().id() : std::string();
}

/// Where the shop has what is added, the message asks for the sum; else it stays what it was.
absl::Status Answer::ResolveAdded() {
  const Understanding& said = understanding_;
  if (said.added_goods.empty()) return absl::OkStatus();
  std::vector<std::string> products = said.summed_products;
  for (const std::string& goods : said.added_goods) {
    auto found = FindFirstOf(goods);
    if (!found.ok()) return found.status();
    if (found->empty()) return absl::OkStatus();
    AppendNew({*std::move(found)}, products);
  }
  std::string policy = said.policy_part;
  understanding_ = AboutProducts(std::move(understanding_), std::move(products));
  understanding_.quantities.assign(understanding_.referenced_products.size(), 1);
  understanding_.intents = {Intent::kProductDetails};
  understanding_.policy_part = std::move(policy);
  understanding_.turn_rule = "adds goods to a sum";
  return absl::OkStatus();
}

}  // namespace emptor::services
