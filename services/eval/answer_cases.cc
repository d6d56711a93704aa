// The parser of case files.
#include "services/eval/answer_cases.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "catalog/encoding/fnv.h"
#include "catalog/encoding/json.h"
#include "fmt/format.h"

namespace emptor::services {
namespace {

using catalog::JsonMember;
using catalog::JsonValue;

constexpr uint64_t kSealedShare = 5;  // one of so many
constexpr std::array<std::string_view, 19> kKinds = {
    "find",   "refine",    "superlative",  "attribute", "yesno",   "which",     "compare",
    "advise", "total",     "availability", "policy",    "order",   "complaint", "human",
    "cart",   "smalltalk", "offtopic",     "harmful",   "badinput"};
constexpr std::array<std::string_view, 5> kAdmissions = {"not_sold", "unknown", "nothing",
                                                         "contradiction", "unsure"};

/// Reads members of known kinds. The first mistake is kept, with its place; what follows is read
/// as empty.
class CaseReader {
 public:
  const absl::Status& status() const { return status_; }

  void Fail(std::string_view place, std::string_view what) {
    if (status_.ok()) status_ = absl::InvalidArgumentError(fmt::format("{}: {}", place, what));
  }
  bool Expect(bool holds, std::string_view place, std::string_view expected,
              const JsonValue& found) {
    if (!holds) {
      Fail(place,
           fmt::format("expected {}, found {}", expected, catalog::DescribeKind(found.kind())));
    }
    return holds;
  }
  std::string String(std::string_view place, const JsonValue& value) {
    return Expect(value.is_string(), place, "a string", value) ? value.as_string() : "";
  }
  bool Bool(std::string_view place, const JsonValue& value) {
    return Expect(value.is_bool(), place, "a boolean", value) && value.as_bool();
  }
  int Int(std::string_view place, const JsonValue& value) {
    const bool is_small = value.is_int() && value.as_int() >= -1 && value.as_int() <= 100000;
    return Expect(is_small, place, "an integer from -1 to 100000", value)
               ? static_cast<int>(value.as_int())
               : 0;
  }
  double Number(std::string_view place, const JsonValue& value) {
    return Expect(value.is_number(), place, "a number", value) ? value.as_double() : 0;
  }
  /// Calls `read` with each element.
  template <typename Read>
  auto List(std::string_view place, const JsonValue& value, Read read) {
    std::vector<decltype(read(value))> list;
    if (!Expect(value.is_array(), place, "an array", value)) return list;
    for (const JsonValue& each : value.as_array()) list.push_back(read(each));
    return list;
  }
  std::vector<std::string> Strings(std::string_view place, const JsonValue& value) {
    return List(place, value, [&](const JsonValue& each) { return String(place, each); });
  }
  template <typename Read>
  void Members(std::string_view place, const JsonValue& value, Read read) {
    if (!Expect(value.is_object(), place, "an object", value)) return;
    for (const JsonMember& member : value.as_object()) {
      if (!read(member.name, member.value)) {
        Fail(place, fmt::format("unknown member {:?}", member.name.substr(0, 64)));
      }
    }
  }
  std::string OneOf(std::string_view place, const JsonValue& value, const auto& known) {
    std::string text = String(place, value);
    if (std::find(known.begin(), known.end(), text) == known.end()) {
      Fail(place, fmt::format("unknown value {:?}", text.substr(0, 64)));
    }
    return text;
  }

 private:
  absl::Status status_;
};

CaseCondition ReadCondition(CaseReader& reader, const JsonValue& value);

std::vector<CaseCondition> ReadConditions(CaseReader& reader, const JsonValue& value) {
  return reader.List("conditions", value,
                     [&](const JsonValue& each) { return ReadCondition(reader, each); });
}

/// `skip`: a member that belongs to what the condition stands in.
CaseCondition ReadConditionMembers(CaseReader& reader, const JsonValue& value,
                                   std::string_view skip) {
  using Form = CaseCondition::Form;
  CaseCondition condition;
  bool has_form = false;
  const auto set = [&](Form form) { condition.form = form, has_form = true; };
  reader.Members("condition", value, [&](const std::string& name, const JsonValue& member) {
    if (name == skip) return true;
    if (name == "type")
      set(Form::kType), condition.key = reader.String(name, member);
    else if (name == "key")
      condition.key = reader.String(name, member);
    else if (name == "is")
      set(Form::kIs), condition.words = reader.Strings(name, member);
    else if (name == "not")
      set(Form::kNot), condition.words = reader.Strings(name, member);
    else if (name == "has")
      set(Form::kHas), condition.words = reader.Strings(name, member);
    else if (name == "min")
      set(Form::kRange), condition.min = reader.Number(name, member);
    else if (name == "max")
      set(Form::kRange), condition.max = reader.Number(name, member);
    else if (name == "unit")
      condition.unit = reader.String(name, member);
    else if (name == "known")
      set(Form::kKnown), condition.is_known = reader.Bool(name, member);
    else if (name == "any")
      set(Form::kAny), condition.inner = ReadConditions(reader, member);
    else if (name == "none_of")
      set(Form::kNoneOf), condition.inner = ReadConditions(reader, member);
    else
      return false;
    return true;
  });
  if (!has_form) reader.Fail("condition", "expected type, is, not, has, min, max, known or any");
  return condition;
}

CaseCondition ReadCondition(CaseReader& reader, const JsonValue& value) {
  return ReadConditionMembers(reader, value, "");
}

CaseReference ReadReference(CaseReader& reader, const JsonValue& value);

CaseAmong ReadAmong(CaseReader& reader, const JsonValue& value) {
  CaseAmong among;
  if (value.is_string()) {
    among.form = CaseAmong::Form::kCards;
    if (value.as_string() != "cards") reader.Fail("among", "expected \"cards\"");
  } else if (value.is_object()) {
    among.form = CaseAmong::Form::kCards;
    const JsonValue* turn = value.Find("cards");
    if (turn == nullptr) reader.Fail("among", "expected {\"cards\": turn}");
    if (turn != nullptr) among.turn = reader.Int("among", *turn);
  } else if (reader.Expect(value.is_array() && !value.as_array().empty(), "among",
                           "references or conditions", value)) {
    const JsonValue& first = value.as_array().front();
    const bool refers = first.Find("id") != nullptr || first.Find("card") != nullptr ||
                        first.Find("best") != nullptr;
    among.form = refers ? CaseAmong::Form::kReferences : CaseAmong::Form::kConditions;
    if (refers) {
      among.references = reader.List(
          "among", value, [&](const JsonValue& each) { return ReadReference(reader, each); });
    } else {
      among.conditions = ReadConditions(reader, value);
    }
  }
  return among;
}

bool ReadOrder(CaseReader& reader, const JsonValue& value) {
  constexpr std::array<std::string_view, 2> kOrders = {"min", "max"};
  return reader.OneOf("order", value, kOrders) == "min";
}

CaseReference ReadReference(CaseReader& reader, const JsonValue& value) {
  CaseReference reference;
  CaseBest best;
  reader.Members("reference", value, [&](const std::string& name, const JsonValue& member) {
    if (name == "id")
      reference.id = reader.String(name, member);
    else if (name == "card")
      reference.card = reader.Int(name, member);
    else if (name == "turn")
      reference.turn = reader.Int(name, member);
    else if (name == "best")
      best.key = reader.String(name, member);
    else if (name == "order")
      best.is_least = ReadOrder(reader, member);
    else if (name == "among")
      best.among = ReadAmong(reader, member);
    else
      return false;
    return true;
  });
  if (!best.key.empty()) reference.best = std::make_shared<const CaseBest>(std::move(best));
  if (reference.id.empty() && reference.card == 0 && reference.best == nullptr) {
    reader.Fail("reference", "expected id, card or best");
  }
  return reference;
}

std::vector<CaseReference> ReadReferences(CaseReader& reader, const JsonValue& value) {
  return reader.List("references", value,
                     [&](const JsonValue& each) { return ReadReference(reader, each); });
}

CaseCards ReadCards(CaseReader& reader, const JsonValue& value) {
  CaseCards cards;
  std::optional<int> least;
  reader.Members("cards", value, [&](const std::string& name, const JsonValue& member) {
    if (name == "where")
      cards.where = ReadConditions(reader, member);
    else if (name == "min")
      least = reader.Int(name, member);
    else if (name == "max")
      cards.max = reader.Int(name, member);
    else if (name == "only")
      cards.only_about = reader.String(name, member) == "about";
    else if (name == "none")
      cards.none = reader.Bool(name, member);
    else
      return false;
    return true;
  });
  cards.min = least.value_or(cards.where.empty() ? 0 : 1);
  return cards;
}

CaseFact ReadFact(CaseReader& reader, const JsonValue& value, bool has_condition) {
  CaseFact fact;
  if (const JsonValue* of = value.Find("of")) fact.of = ReadReference(reader, *of);
  if (has_condition) {
    fact.condition = ReadConditionMembers(reader, value, "of");
    fact.key = fact.condition->key;
  } else if (const JsonValue* key = value.Find("key")) {
    fact.key = reader.String("key", *key);
  }
  if (fact.key.empty() && !has_condition) reader.Fail("fact", "expected a key");
  return fact;
}

CaseBest ReadWinner(CaseReader& reader, const JsonValue& value) {
  CaseBest best;
  reader.Members("winner", value, [&](const std::string& name, const JsonValue& member) {
    if (name == "key")
      best.key = reader.String(name, member);
    else if (name == "order")
      best.is_least = ReadOrder(reader, member);
    else if (name == "among")
      best.among = ReadAmong(reader, member);
    else
      return false;
    return true;
  });
  if (best.key.empty()) reader.Fail("winner", "expected a key");
  return best;
}

CaseTotal ReadTotal(CaseReader& reader, const JsonValue& value) {
  CaseTotal total;
  const JsonValue* of = value.Find("of");
  if (of == nullptr) reader.Fail("total", "expected of");
  if (of != nullptr) total.of = ReadReference(reader, *of);
  if (const JsonValue* quantity = value.Find("quantity")) {
    total.quantity = reader.Int("quantity", *quantity);
  }
  return total;
}

bool ReadCheck(CaseReader& reader, const std::string& name, const JsonValue& value,
               CaseExpectation& expect) {
  if (name == "language")
    expect.language = reader.String(name, value);
  else if (name == "cards")
    expect.cards = ReadCards(reader, value);
  else if (name == "about")
    expect.about = ReadReferences(reader, value);
  else if (name == "fact")
    expect.fact = ReadFact(reader, value, false);
  else if (name == "yes_no")
    expect.yes_no = ReadFact(reader, value, true);
  else if (name == "winner")
    expect.winner = ReadWinner(reader, value);
  else if (name == "document")
    expect.documents =
        value.is_string() ? std::vector{value.as_string()} : reader.Strings(name, value);
  else if (name == "says")
    expect.says =
        reader.List(name, value, [&](const JsonValue& each) { return reader.Strings(name, each); });
  else if (name == "never")
    expect.never = reader.Strings(name, value);
  else if (name == "admits")
    expect.admits = reader.OneOf(name, value, kAdmissions);
  else if (name == "handoff")
    expect.handoff = reader.String(name, value);
  else if (name == "refuses")
    expect.refuses = reader.Bool(name, value);
  else if (name == "total")
    expect.total =
        reader.List(name, value, [&](const JsonValue& each) { return ReadTotal(reader, each); });
  else
    return false;
  return true;
}

CaseTurn ReadTurn(CaseReader& reader, const JsonValue& value) {
  CaseTurn turn;
  reader.Members("turn", value, [&](const std::string& name, const JsonValue& member) {
    if (name == "say")
      turn.say = reader.String(name, member);
    else if (name == "kind")
      turn.kind = reader.OneOf(name, member, kKinds);
    else if (name == "follows")
      turn.follows = reader.Bool(name, member);
    else if (name == "expect")
      reader.Members(name, member, [&](const std::string& check, const JsonValue& what) {
        return ReadCheck(reader, check, what, turn.expect);
      });
    else
      return false;
    return true;
  });
  return turn;
}

CaseConversation ReadConversation(CaseReader& reader, const JsonValue& value) {
  CaseConversation conversation;
  reader.Members("conversation", value, [&](const std::string& name, const JsonValue& member) {
    if (name == "id")
      conversation.id = reader.String(name, member);
    else if (name == "locale")
      conversation.locale = reader.String(name, member);
    else if (name == "frozen")
      conversation.frozen = reader.Int(name, member);
    else if (name == "turns")
      conversation.turns =
          reader.List(name, member, [&](const JsonValue& each) { return ReadTurn(reader, each); });
    else
      return false;
    return true;
  });
  if (conversation.id.empty() || conversation.turns.empty()) {
    reader.Fail("conversation", "expected an id and turns");
  }
  return conversation;
}

absl::Status InLine(size_t line, const absl::Status& status) {
  return absl::InvalidArgumentError(
      fmt::format("line {}: {}", line, std::string(status.message())));
}

}  // namespace

bool CaseConversation::is_sealed() const { return catalog::Fnv1a64(id) % kSealedShare == 0; }

absl::StatusOr<std::vector<CaseConversation>> ParseCases(std::string_view jsonl) {
  std::vector<CaseConversation> conversations;
  for (size_t line = 1; !jsonl.empty(); ++line) {
    const size_t end = std::min(jsonl.find('\n'), jsonl.size());
    const std::string_view text = jsonl.substr(0, end);
    jsonl.remove_prefix(std::min(end + 1, jsonl.size()));
    if (text.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    const auto value = catalog::ParseJson(text);
    if (!value.ok()) return InLine(line, value.status());
    CaseReader reader;
    conversations.push_back(ReadConversation(reader, *value));
    if (!reader.status().ok()) return InLine(line, reader.status());
  }
  return conversations;
}

absl::StatusOr<CaseTypes> ParseCaseTypes(std::string_view json) {
  const auto value = catalog::ParseJson(json);
  if (!value.ok()) return value.status();
  CaseReader reader;
  CaseTypes types;
  reader.Members("types", *value, [&](const std::string& name, const JsonValue& type) {
    CaseType& read = types[name];
    reader.Members(name, type, [&](const std::string& member, const JsonValue& words) {
      if (member == "title")
        read.title = reader.Strings(member, words);
      else if (member == "not_title")
        read.not_title = reader.Strings(member, words);
      else if (member == "category")
        read.category = reader.Strings(member, words);
      else if (member == "attr")
        reader.Members(member, words, [&](const std::string& key, const JsonValue& each) {
          read.attributes[key] = reader.Strings(key, each);
          return true;
        });
      else
        return false;
      return true;
    });
    return true;
  });
  if (!reader.status().ok()) return reader.status();
  return types;
}

}  // namespace emptor::services
