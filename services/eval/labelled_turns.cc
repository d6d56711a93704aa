// The parser of labelled conversations.
#include "services/eval/labelled_turns.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "catalog/encoding/json.h"
#include "fmt/format.h"

namespace emptor::services {
namespace {

using catalog::JsonValue;

constexpr std::array<std::string_view, 6> kOfShown = {"ask", "rank",   "compare",
                                                      "sum", "advise", "cart"};
constexpr std::array<std::string_view, 4> kOfDesk = {"policy", "order", "human", "complain"};

template <typename Names>
bool IsOneOf(const Names& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::string TextOf(const JsonValue& value, std::string_view member) {
  const JsonValue* const found = value.Find(member);
  return found != nullptr && found->is_string() ? found->as_string() : std::string();
}

template <typename Read>
void ForEach(const JsonValue& value, std::string_view member, Read read) {
  const JsonValue* const list = value.Find(member);
  if (list == nullptr || !list->is_array()) return;
  for (const JsonValue& each : list->as_array()) read(each);
}

std::string_view Trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

/// "12.90", "€ 12,90", "1,299".
int64_t PriceOf(std::string_view text) {
  std::string digits;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool is_digit = text[i] >= '0' && text[i] <= '9';
    const bool is_point = (text[i] == '.' || text[i] == ',') && text.size() - i <= 3;
    if (is_digit) digits += text[i];
    if (is_point && !digits.empty()) digits += '.';
    if (!is_digit && text[i] != '.' && text[i] != ',' && !digits.empty()) break;
  }
  return digits.empty() ? 0 : std::llround(std::strtod(digits.c_str(), nullptr) * 100);
}

/// The parser of one line.
class ConversationReader {
 public:
  explicit ConversationReader(std::string_view name) : name_(name) {}

  absl::StatusOr<LabelledConversation> Read(const JsonValue& line) {
    read_.id = fmt::format("{}-{}", name_, TextOf(line, "id"));
    read_.language = TextOf(line, "lang");
    absl::Status status;
    ForEach(line, "turns", [&](const JsonValue& turn) {
      if (status.ok()) status = ReadTurn(turn);
    });
    if (!status.ok()) return status;
    if (read_.turns.empty()) return absl::InvalidArgumentError("turns: expected some");
    return std::move(read_);
  }

 private:
  absl::Status ReadTurn(const JsonValue& value) {
    LabelledTurn turn;
    turn.say = TextOf(value, "say");
    if (turn.say.empty()) return absl::InvalidArgumentError("say: expected a text");
    absl::Status status;
    ForEach(value, "acts", [&](const JsonValue& each) {
      auto act = ReadAct(each);
      if (act.ok()) turn.acts.push_back(*std::move(act));
      if (!act.ok()) status = act.status();
    });
    const size_t number = read_.turns.size() + 1;
    ForEach(value, "shown", [&](const JsonValue& each) {
      if (!each.is_string()) return;
      turn.shown.push_back(IdOf(each.as_string()));
      labels_[fmt::format("{}.{}", number, turn.shown.size())] = turn.shown.back();
    });
    read_.turns.push_back(std::move(turn));
    return status;
  }

  absl::StatusOr<LabelledAct> ReadAct(const JsonValue& value) {
    LabelledAct act;
    act.act = TextOf(value, "act");
    act.goods = TextOf(value, "goods");
    if (!act.goods.empty()) goods_ = act.goods;
    const JsonValue* const same = value.Find("same");
    act.is_same = same != nullptr && same->is_bool() && same->as_bool();
    absl::Status status;
    ForEach(value, "about", [&](const JsonValue& each) {
      const auto found = each.is_string() ? labels_.find(each.as_string()) : labels_.end();
      if (found == labels_.end()) {
        status = absl::InvalidArgumentError("about: expected products that were shown before");
      } else if (!IsOneOf(act.about, found->second)) {
        act.about.push_back(found->second);
      }
    });
    if (!status.ok()) return status;
    return act;
  }

  std::string IdOf(std::string_view shown) {
    const size_t bar = shown.rfind('|');
    const std::string title(Trimmed(shown.substr(0, bar)));
    const std::string_view price = bar == std::string_view::npos ? "" : shown.substr(bar + 1);
    const auto [known, is_new] =
        ids_.emplace(title, fmt::format("{}-{}", read_.id, read_.products.size()));
    if (is_new) read_.products.push_back({known->second, title, goods_, PriceOf(Trimmed(price))});
    return known->second;
  }

  const std::string_view name_;
  LabelledConversation read_;
  std::string goods_ = "thing";                // asked for last
  std::map<std::string, std::string> ids_;     // by title
  std::map<std::string, std::string> labels_;  // ids by "2.1"
};

/// The last word, folded, without the "s" of a plural.
std::string HeadOf(std::string_view goods) {
  std::string head(goods.substr(goods.rfind(' ') + 1));
  std::transform(head.begin(), head.end(), head.begin(), [](unsigned char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : static_cast<char>(c);
  });
  if (head.size() > 1 && head.ends_with('s')) head.pop_back();
  return head;
}

std::set<std::string> SetOf(const std::vector<std::string>& ids) {
  return {ids.begin(), ids.end()};
}

}  // namespace

absl::StatusOr<std::vector<LabelledConversation>> ParseLabelledTurns(std::string_view name,
                                                                     std::string_view text) {
  std::vector<LabelledConversation> conversations;
  for (size_t number = 1; !text.empty(); ++number) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (line.empty()) continue;
    const auto value = catalog::ParseJson(line);
    auto read = value.ok() ? ConversationReader(name).Read(*value)
                           : absl::StatusOr<LabelledConversation>(value.status());
    if (!read.ok()) {
      return absl::InvalidArgumentError(
          fmt::format("line {}: {}", number, std::string(read.status().message())));
    }
    conversations.push_back(*std::move(read));
  }
  return conversations;
}

TurnSort SortOf(const LabelledAct& act) {
  if (act.act == "find") return TurnSort::kFind;
  // "Which is the cheapest you have": of the shop.
  if (act.act == "rank" && act.about.empty()) return TurnSort::kFind;
  if (IsOneOf(kOfShown, act.act)) return TurnSort::kShown;
  return IsOneOf(kOfDesk, act.act) ? TurnSort::kDesk : TurnSort::kTalk;
}

bool IsAboutSame(const LabelledTurn& turn, const std::vector<std::string>& about) {
  std::set<std::string> first, all;
  for (const LabelledAct& act : turn.acts) {
    if (SortOf(act) != TurnSort::kShown) continue;
    all.insert(act.about.begin(), act.about.end());
    if (first.empty()) first = all;
  }
  const std::set<std::string> read = SetOf(about);
  return read == first || read == all;
}

bool AreSameGoods(std::string_view a, std::string_view b) { return HeadOf(a) == HeadOf(b); }

void TurnAgreement::AddCard(const LabelledTurn& turn, std::string_view card) {
  if (turn.acts.empty()) return;
  const LabelledAct& act = turn.acts.front();
  if (act.act != "find" || act.is_same || act.goods.empty()) return;
  ++finds;
  found += !card.empty() && AreSameGoods(act.goods, card) ? 1 : 0;
}

void TurnAgreement::Add(const LabelledTurn& turn, const ReadSort& read) {
  if (turn.acts.empty()) return;
  const TurnSort sort = SortOf(turn.acts.front());
  const bool is_any = std::any_of(turn.acts.begin(), turn.acts.end(),
                                  [&](const auto& act) { return SortOf(act) == read.sort; });
  const bool is_pointed = read.sort == TurnSort::kShown && IsAboutSame(turn, read.about);
  ++turns;
  first += sort == read.sort ? 1 : 0;
  any += is_any ? 1 : 0;
  const bool points = sort == TurnSort::kShown && !turn.acts.front().about.empty();
  shown += points ? 1 : 0;
  pointed += points && is_pointed ? 1 : 0;
}

}  // namespace emptor::services
