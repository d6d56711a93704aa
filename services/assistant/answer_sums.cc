// Goods that a sum adds to what was shown: "how much is it with a neck pillow".
#include <algorithm>
#include <iterator>
#include <utility>

#include "retrieval/text/fold.h"
#include "services/assistant/answer.h"
#include "services/assistant/search/name_match.h"
#include "services/assistant/search/named_subject.h"
#include "services/assistant/search/price_pointers.h"
#include "services/grounding/value_words.h"

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
  understanding_ = WithSum(std::move(understanding_), std::move(products));
  understanding_.turn_rule = "adds goods to a sum";
  return absl::OkStatus();
}

/// The product that the piece of a sum means after these turns; empty: none is known.
Answer::FoundPiece Answer::FindPiece(const std::string& piece,
                                     const std::vector<ConversationTurn>& before) const {
  AssistRequest request = request_;
  request.message = piece;
  request.history.clear();
  const auto answer = std::make_shared<Answer>(options_, ForNobody(parts_), std::move(request),
                                               std::make_shared<PartCollector>());
  answer->settles_ = true;
  if (!answer->RunAsPart(before, 0).ok()) return {};
  const std::string id = answer->FindSettled();
  if (id.empty()) return {};
  // A search finds something for any words: what it finds has to be what they say.
  const FoldedMessage said(piece);
  const std::vector<std::string> words = TellingWords(said);
  const auto& type = answer->understanding_.type;
  const bool is_of_type =
      type && said.FindLongest(type->words).found() && answer->table_ != nullptr &&
      std::find(answer->table_->members.begin(), answer->table_->members.end(), id) !=
          answer->table_->members.end();
  const auto& product = *answer->retrieved_.sources.front().product();
  const bool is_named = FoldedMessage(product.title + " " + product.brand).HasAny(words);
  // "Celle à 449"; "la corail", of those that were shown and are coral.
  std::string record = product.title;
  for (const catalog::Attribute& each : product.attributes) record += " " + each.value;
  const FoldedMessage stated(record);
  const auto values = FindNamedValues(said, answer->understanding_.language);
  const bool is_valued = answer->IsLikeShown(id) &&
                         std::any_of(values.begin(), values.end(), [&](const NamedValue& each) {
                           return stated.Has(retrieval::FoldWords(each.canonical));
                         });
  const bool is_priced = !FindPricePointers(piece).empty();
  const bool is_pointed = !before.empty() && (is_priced || is_valued);
  if (!words.empty() && !is_of_type && !is_named && !is_pointed) return {};
  return {id, type ? type->name : answer->understanding_.search_text};
}

/// "The NEC NP610 and that screen, what do they come to", where not all of it was understood: each
/// piece is looked for as a choice of its own.
absl::Status Answer::SumPieces() {
  if (turns_.empty() || is_part_) return absl::OkStatus();
  const std::vector<std::string> pieces = PiecesOfSum(message_);
  // "The $98.95 mount and that cable": which mount is said by its price.
  const bool is_priced = std::any_of(pieces.begin(), pieces.end(), [](const std::string& piece) {
    return !FindPricePointers(piece).empty();
  });
  // "The vexmere and the gridlow": not just the first of each list.
  const auto is_meant = [&](const std::string& piece) {
    // "Le premier sac de couchage" is the first of its list, whatever its title says.
    if (NamesPlaces(retrieval::TokenizeQuery(piece))) return true;
    std::vector<std::string> words = TellingWords(FoldedMessage(piece));
    // "2 covers".
    std::transform(words.begin(), words.end(), std::back_inserter(words), StemOf);
    const auto& ids = understanding_.referenced_products;
    return std::any_of(ids.begin(), ids.end(), [&](const std::string& id) {
      const auto product = parts_.shop.FindProduct(id);
      return product.ok() && *product && FoldedMessage((*product)->title).HasAny(words);
    });
  };
  const bool is_known = understanding_.quantities.size() >= pieces.size() && !is_priced &&
                        std::all_of(pieces.begin(), pieces.end(), is_meant);
  if (pieces.empty() || is_known) return absl::OkStatus();
  std::vector<std::string> products;
  for (const std::string& piece : pieces) {
    // Of the conversation, else of the shop.
    std::string product = FindPiece(piece, turns_).id;
    if (product.empty()) product = FindPiece(piece, {}).id;
    if (product.empty()) return absl::OkStatus();
    AppendNew({std::move(product)}, products);
  }
  if (products.size() != pieces.size()) return absl::OkStatus();
  understanding_ = WithSum(std::move(understanding_), std::move(products));
  understanding_.turn_rule = "adds up what it names";
  return absl::OkStatus();
}

}  // namespace emptor::services
