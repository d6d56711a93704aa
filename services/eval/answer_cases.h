// Conversations with what each answer must show: docs/formats/answer_cases.md.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace emptor::services {

/// A test on one product.
struct CaseCondition {
  enum class Form { kType, kIs, kNot, kHas, kRange, kKnown, kAny, kNoneOf };
  Form form = Form::kType;
  std::string key;                           // of the record; kType: the name of the type
  std::vector<std::string> words = {};       // kIs, kNot, kHas
  std::optional<double> min = {}, max = {};  // kRange
  std::string unit = {};                     // kRange: that of the bounds; empty: the value's own
  bool is_known = false;                     // kKnown
  std::vector<CaseCondition> inner = {};     // kAny, kNoneOf
};

struct CaseReference;

/// Products to choose among: references, the cards of a turn, or all that meet the conditions.
struct CaseAmong {
  enum class Form { kReferences, kCards, kConditions };
  Form form = Form::kConditions;
  std::vector<CaseReference> references;
  int turn = 0;  // kCards: from 1; 0: the latest turn with cards
  std::vector<CaseCondition> conditions;
};

struct CaseBest {
  std::string key;
  bool is_least = true;
  CaseAmong among;
};

/// One product: by id, by its place on the cards of an earlier turn, or the best of some.
struct CaseReference {
  std::string id;
  int card = 0;  // from 1; -1: the last one
  int turn = 0;  // from 1; 0: the turn before
  std::shared_ptr<const CaseBest> best;
};

struct CaseCards {
  std::vector<CaseCondition> where;
  int min = 0;
  std::optional<int> max;
  bool only_about = false;
  bool none = false;
};

/// A key of the record of a product; `condition` is what `yes_no` asks of it.
struct CaseFact {
  std::string key;
  std::optional<CaseCondition> condition;
  std::optional<CaseReference> of;  // unset: the first of `about`
};

struct CaseTotal {
  CaseReference of;
  int quantity = 1;
};

struct CaseExpectation {
  std::string language = "en";
  std::optional<CaseCards> cards;
  std::vector<CaseReference> about;
  std::optional<CaseFact> fact, yes_no;
  std::optional<CaseBest> winner;
  std::vector<std::string> documents;
  std::vector<std::vector<std::string>> says;  // each holds alternatives
  std::vector<std::string> never;
  std::string admits, handoff;  // empty: nothing
  bool refuses = false;
  std::vector<CaseTotal> total;
};

struct CaseTurn {
  std::string say, kind;
  bool follows = false;
  CaseExpectation expect;
};

struct CaseConversation {
  std::string id = {}, locale = {};
  int frozen = 0;
  std::vector<CaseTurn> turns = {};
  /// Reports hold its totals alone: a fifth of all ids, by their hash.
  bool is_sealed() const;
};

/// What makes a product one of a kind.
struct CaseType {
  std::vector<std::string> title = {}, not_title = {}, category = {};
  std::map<std::string, std::vector<std::string>> attributes = {};  // by name
};
using CaseTypes = std::map<std::string, CaseType>;

/// Errors: kInvalidArgument, "line 3: turn 2: kind: expected ..., found ...".
absl::StatusOr<std::vector<CaseConversation>> ParseCases(std::string_view jsonl);
/// Errors: kInvalidArgument.
absl::StatusOr<CaseTypes> ParseCaseTypes(std::string_view json);

}  // namespace emptor::services
