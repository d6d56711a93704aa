// Which products of a conversation a change of a choice is about.
#include <algorithm>
#include <utility>

#include "services/assistant/reading/asked_name.h"
#include "services/assistant/reading/choice_changes.h"
#include "services/assistant/reading/part_words.h"
#include "services/assistant/schema/attribute_binding.h"
#include "services/assistant/words/cues.h"

namespace emptor::services {
namespace {

using Kind = ChoiceChange::Kind;

class ChangeResolver {
 public:
  explicit ChangeResolver(const ChoiceChangeInput& input)
      : input_(input), last_(input.turns.back()) {
    for (const ChosenProduct& each : last_.chosen) chosen_.push_back(each.id);
  }

  std::optional<ChoiceChange> Run(ChoiceChange change) const {
    if (change.kind == Kind::kTake) return Taken(std::move(change));
    if (change.kind == Kind::kList && HasChosenBefore(input_.turns)) return change;
    if (chosen_.empty() || change.kind == Kind::kList) return {};
    const size_t going = change.kind == Kind::kDrop ? change.goods.size() : 1;
    for (size_t i = 0; i < going; ++i) {
      CountedGoods& goes = change.goods[i];
      goes.products = change.is_weak ? FindOfType(goes.text) : FindChosen(goes.text);
      // "The 599 one" is looked for.
      if (goes.products.empty() && (change.is_weak || NamesNothing(goes.text))) return {};
    }
    return change;
  }

 private:
  std::optional<ChoiceChange> Taken(ChoiceChange change) const {
    for (CountedGoods& goods : change.goods) {
      goods.products = goods.is_sure ? FindTaken(goods.text) : FindCounted(goods);
      const bool is_known = !goods.products.empty() || (goods.is_sure && !NamesNothing(goods.text));
      if (!is_known) return {};
    }
    const CountedGoods& first = change.goods.front();
    const bool is_several = change.goods.size() > 1 || first.count > 1 || first.products.size() > 1;
    if (is_several || change.settles) return change;
    // "Just one of those", of two that were chosen; "add the black one".
    const bool is_fewer =
        std::any_of(last_.chosen.begin(), last_.chosen.end(), [&](const ChosenProduct& each) {
          return !first.products.empty() && each.id == first.products.front() && each.quantity > 1;
        });
    const bool is_added = change.adds && !chosen_.empty() && !NamesNothing(first.text);
    if (is_fewer || is_added || first.is_more) return change;
    return {};
  }

  /// "2 monitors", "just one comet" of those that were chosen, not "2 slots".
  std::vector<std::string> FindCounted(const CountedGoods& goods) const {
    const FoldedMessage folded(goods.text);
    if (NamesNothing(goods.text)) return InFocus();
    if (PointsAtSeveral(goods.text)) return FindTaken(goods.text);
    const std::vector<std::string> words = SplitWords(folded.text());
    if (HasCue(FoldedMessage::FromFolded(words.front()), Cue::kDefinite)) {
      return FindTaken(goods.text);
    }
    if (std::vector<std::string> of_type = FindOfType(goods.text); of_type.size() == 1) {
      return of_type;
    }
    const std::string focus = FocusOf(last_);
    if (!focus.empty() && last_.type && NamesOnlyType(goods.text, *last_.type)) return {focus};
    std::vector<std::string> named = goods.count == 1 ? FindChosen(goods.text) : chosen_;
    std::erase_if(
        named, [&](const std::string& id) { return goods.count > 1 || !HasAllWords(id, folded); });
    return named;
  }

  /// "Bag", of a duffel bag that was chosen, by the name of its kind alone.
  std::vector<std::string> FindOfType(const std::string& text) const {
    std::vector<std::string> words;
    std::vector<std::string> ids = OfTypeNamed(text, words);
    const FoldedMessage folded(text);
    const bool is_name = std::any_of(words.begin(), words.end(), [&](const std::string& each) {
      return folded.text() == each || folded.text() == each + "s";
    });
    return is_name ? ids : std::vector<std::string>();
  }

  /// "Both", "the other", "the first and the third".
  static bool PointsAtSeveral(const std::string& text) {
    const FoldedMessage folded(text);
    const auto tokens = retrieval::TokenizeQuery(text);
    return NamesPlaces(tokens) || HasCue(folded, Cue::kBoth) || HasCue(folded, Cue::kRefTwo) ||
           PointsAtOther(tokens);
  }

  std::vector<std::string> FindTaken(const std::string& text) const {
    const auto tokens = retrieval::TokenizeQuery(text);
    const FoldedMessage folded(text);
    if (PointsAtSeveral(text)) {
      std::vector<std::string> found = FindReferences(tokens, input_.turns);
      // "Both", of more than two, says not which; so does "2 of those", of several.
      const bool is_two = HasCue(folded, Cue::kBoth) || HasCue(folded, Cue::kRefTwo);
      return is_two && found.size() > 2 ? std::vector<std::string>() : found;
    }
    if (NamesNothing(text)) return InFocus();
    if (std::vector<std::string> found = FindChosen(text); !found.empty()) {
      std::vector<std::string> words;
      const bool is_type = !OfTypeNamed(text, words).empty();
      if (is_type || HasAllWords(found.front(), folded)) return found;
    }
    const ShownNaming naming{.text = folded, .language = input_.language, .titles_only = true};
    const std::vector<std::string>& list =
        last_.listed_products.empty() ? last_.shown_products : last_.listed_products;
    const std::string shown = FindNamedShown(list, naming, input_.record_of);
    if (!shown.empty() && HasAllWords(shown, folded)) return {shown};
    // "3 of the mice", of one that is in focus.
    const std::string focus = FocusOf(last_);
    return !focus.empty() && last_.type && NamesOnlyType(text, *last_.type)
               ? std::vector{focus}
               : std::vector<std::string>();
  }

  /// Not just some of them: "the dl80 in black" is no brass one.
  bool HasAllWords(const std::string& id, const FoldedMessage& said) const {
    const auto product = input_.record_of(id);
    if (!product) return false;
    const FoldedMessage title(product->title + " " + product->brand);
    std::vector<std::string> words = TellingWords(said);
    std::erase_if(words, [](const std::string& each) { return IsStruckOut(each); });
    // "The contura for 1625" is no other contura.
    for (std::string& each : SplitWords(said.text())) {
      if (each.find_first_of("0123456789") != std::string::npos) words.push_back(std::move(each));
    }
    return std::all_of(words.begin(), words.end(),
                       [&](const std::string& each) { return title.Has(each); });
  }

  bool NamesOnlyType(const std::string& text, const ProductType& type) const {
    const auto types = FindProductTypes(text, input_.language, input_.profile);
    const FoldedMessage folded(text);
    return types.size() == 1 && IsSameType(types.front(), type) &&
           folded.word_count() <= SplitWords(type.name).size() + 1;
  }

  std::vector<std::string> InFocus() const {
    if (const std::string focus = FocusOf(last_); !focus.empty()) return {focus};
    return chosen_.empty() ? std::vector<std::string>() : std::vector{chosen_.back()};
  }

  std::vector<std::string> FindChosen(const std::string& text) const {
    const FoldedMessage folded(text);
    const auto tokens = retrieval::TokenizeQuery(text);
    if (HasCue(folded, Cue::kEverything) || HasCue(folded, Cue::kBoth)) return chosen_;
    if (NamesPlaces(tokens)) return FindAtPlaces(tokens);
    std::vector<std::string> type_words;
    std::vector<std::string> of_type = OfTypeNamed(text, type_words);
    const bool is_narrowed = std::any_of(type_words.begin(), type_words.end(),
                                         [&](const auto& each) { return folded.Has(each); });
    if (of_type.size() == 1 && is_narrowed) {
      // "The mint mouse" is no graphite one.
      FoldedMessage rest = folded;
      for (const std::string& each : type_words) {
        if (const auto span = rest.FindLongest({each}); span.found()) rest = rest.Without(span);
      }
      return HasAllWords(of_type.front(), rest) ? of_type : std::vector<std::string>();
    }
    if (NamesNothing(text)) {
      const std::vector<std::string> focus = InFocus();
      if (!focus.empty() && IsChosen(focus.front())) return focus;
      return chosen_.empty() ? focus : std::vector{chosen_.back()};
    }
    const ShownNaming naming{folded, input_.language, std::move(type_words)};
    const std::string named =
        FindNamedShown(of_type.empty() ? chosen_ : of_type, naming, input_.record_of);
    if (!named.empty()) return {named};
    return of_type.size() == 1 ? of_type : std::vector<std::string>();
  }

  /// Of the list, else of what was chosen.
  std::vector<std::string> FindAtPlaces(const std::vector<retrieval::QueryToken>& tokens) const {
    std::vector<std::string> found = FindReferences(tokens, input_.turns);
    std::erase_if(found, [&](const std::string& id) { return !IsChosen(id); });
    return found.empty() ? PlacesIn(tokens, chosen_) : found;
  }

  std::vector<std::string> OfTypeNamed(const std::string& text,
                                       std::vector<std::string>& type_words) const {
    std::vector<std::string> ids;
    const FoldedMessage folded(text);
    const auto types = FindProductTypes(text, input_.language, input_.profile);
    for (const ChosenProduct& each : last_.chosen) {
      const bool is_type = std::any_of(types.begin(), types.end(), [&](const ProductType& type) {
        const bool is_it = type.name == each.topic || each.topic.ends_with(" " + type.name);
        if (is_it) AppendNew(type.words, type_words);
        return is_it;
      });
      const std::string noun = each.topic.substr(each.topic.rfind(' ') + 1);
      if (is_type || folded.Has(noun)) ids.push_back(each.id);
      if (folded.Has(noun)) AppendNew({noun}, type_words);
    }
    return ids;
  }

  bool IsChosen(const std::string& id) const {
    return std::find(chosen_.begin(), chosen_.end(), id) != chosen_.end();
  }

  const ChoiceChangeInput& input_;
  const ConversationTurn& last_;
  std::vector<std::string> chosen_;
};

}  // namespace

bool HasChosenBefore(const std::vector<ConversationTurn>& turns) {
  return std::any_of(turns.begin(), turns.end(),
                     [](const ConversationTurn& each) { return !each.chosen.empty(); });
}

std::optional<ChoiceChange> ResolveChange(ChoiceChange change, const ChoiceChangeInput& input) {
  return ChangeResolver(input).Run(std::move(change));
}

}  // namespace emptor::services
