// Makers in a message, and their names for goods.
#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "services/assistant/reading/message_reader.h"
#include "services/assistant/reading/said_words.h"
#include "services/assistant/types/type_names.h"
#include "services/assistant/words/story_words.h"

namespace emptor::services {
namespace {

/// What follows is what goods are for.
bool IsPurposeWord(const std::string& word) {
  constexpr std::array<std::string_view, 11> kWords = {
      "for", "with", "fur", "mit", "pour", "avec", "para", "con", "von", "than", "like"};
  return std::find(kWords.begin(), kWords.end(), word) != kWords.end();
}

}  // namespace

bool MessageReader::IsAskedFor(const TradeName& trade, const ProductType& type) const {
  const std::vector<std::string> before = SplitWords(folded_.text().substr(0, trade.span.begin));
  const std::vector<std::string> behind = SplitWords(folded_.text().substr(trade.span.end));
  if (std::any_of(before.begin(), before.end(), IsPurposeWord)) return false;
  if (!before.empty() && IsOwnerWord(before.back())) return false;
  // "The Galaxy", of phones that were shown.
  const bool asks = Says(Cue::kRequest) || Says(Cue::kMore) || Says(Cue::kSells);
  if (has_topic() && !asks) return false;
  if (!behind.empty()) {
    const std::string next = SingularOf(behind.front());
    const auto goods = TypeNamed(next, result_.language);
    const bool is_other = goods && TheLexiconTypes()[*goods].canonical != type.name;
    const bool is_head = input_.own_names != nullptr && input_.own_names->IsHead(next);
    const bool names_part = HasCue(FoldedMessage::FromFolded(behind.front()), Cue::kAccessory);
    if (is_other || names_part || (!goods && is_head)) return false;
  }
  if (!named_type_ || named_type_->name == type.name) return true;
  // "Nintendo Switch" is no network switch, but an "Apple Watch strap" is a strap.
  const FoldedMessage::Span other = folded_.FindLongest(named_type_->words);
  return other.found() && other.begin < trade.span.end && trade.span.begin < other.end &&
         other.size() <= trade.name.size();
}

void MessageReader::ReadTradeName() {
  if (input_.profile == nullptr) return;
  auto trade = FindTradeName(folded_);
  if (!trade) return;
  auto type = FindProductType(trade->type, "en", *input_.profile);
  if (!type || !IsAskedFor(*trade, *type)) return;
  // What the shop sells under that name is found by its brand, or by what its titles begin with.
  const std::string line =
      input_.own_names == nullptr ? "" : input_.own_names->TypeOfLine(trade->name);
  const bool is_brand =
      input_.vocabulary.Find(retrieval::FilterField::kBrand, trade->name).has_value();
  if (is_brand || (!line.empty() && line != type->name)) return;
  type->words.push_back(trade->name);
  named_type_ = std::move(type);
  trade_ = std::move(trade);
}

FoldedMessage MessageReader::WithoutTradeName(const FoldedMessage& text) const {
  const auto trade = trade_ ? FindTradeName(text) : std::nullopt;
  return trade ? text.Without(trade->span) : text;
}

std::string MessageReader::TradeNameSaid() const {
  const FoldedMessage::Span span = folded_.Find(trade_->name);
  return AsWritten(input_.message, std::string(folded_.text().substr(span.begin, span.size())));
}

void MessageReader::DemandTradeName() {
  if (!trade_ || !named_type_) return;
  WordCondition demand{trade_->name, {{}}};
  for (const std::string& word : SplitWords(trade_->name)) {
    demand.any_of.front().push_back(StemOf(word));
  }
  if (schema_->words().Knows(demand)) {
    if (std::find(words_.begin(), words_.end(), demand) == words_.end()) words_.push_back(demand);
    return;
  }
  result_.unsold_trade = TradeNameSaid();
  result_.asks_if_sold = false;
}

void MessageReader::PreferMakers() {
  if (schema_ == nullptr || result_.filter.colors.empty()) return;
  ForEachWord(folded_.text(), [&](const std::string& word) {
    if (!schema_->words().IsMostlyMaker(word)) return;
    const auto read =
        retrieval::ReadConstraints(retrieval::TokenizeQuery(word), word, input_.vocabulary);
    for (auto* filter : {&result_.filter, &constraints_.filter}) {
      for (const std::string& colour : read.filter.colors) std::erase(filter->colors, colour);
    }
    const auto brand = input_.vocabulary.Find(retrieval::FilterField::kBrand, word);
    if (!brand || !result_.filter.brands.empty()) return;
    for (auto* filter : {&result_.filter, &constraints_.filter}) filter->brands = {brand->text};
  });
}

}  // namespace emptor::services
