// Merchandising rules: which products are pinned, buried or boosted for which queries and filters.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "absl/status/statusor.h"
#include "retrieval/ranking/merchandising.h"
#include "retrieval/text/analyzer.h"

namespace emptor::retrieval {

/// The properties of a search that rules are matched against.
struct MerchandisingContext {
  std::vector<std::string_view> queries;  // the forms of the query; a rule must match one
  std::span<const std::string> brands;    // of the filter
  std::span<const std::string> categories;
  int64_t now_unix = 0;
};

/// Immutable after Parse. Thread-safety: const methods.
class MerchandisingRules {
 public:
  static constexpr size_t kMaxBytes = size_t{4} << 20;
  static constexpr size_t kMaxRules = 10000;
  static constexpr size_t kMaxValues = 100;  // of any list in a rule
  static constexpr double kMinFactor = 0.1, kMaxFactor = 10;

  /// Reads docs/formats/pins.md. Errors: kInvalidArgument with the place, `rules[3].pin[0]: ...`:
  /// not JSON, an unknown member, a rule without a condition or without an action, an id that
  /// occurs twice in a rule.
  static absl::StatusOr<MerchandisingRules> Parse(std::string_view json, const Analyzer& analyzer);

  /// No rules.
  MerchandisingRules() = default;

  size_t size() const { return rules_.size(); }

  /// The first time after `now_unix` at which a rule begins or ends to hold; INT64_MAX: none does.
  int64_t NextChange(int64_t now_unix) const;

  /// The actions of all rules that match, in the order of the rules. For an id in several rules the
  /// first one applies.
  Merchandising Match(const MerchandisingContext& context) const;

 private:
  friend class MerchandisingRuleReader;

  struct Rule {
    std::vector<std::string> queries;  // terms with a blank around each; empty: any
    bool within = false;  // true: the query contains one of `queries`; false: it equals one
    std::vector<std::string> brands, categories;  // folded; empty: any
    std::optional<int64_t> from_unix, until_unix;
    Merchandising actions;
  };

  bool Holds(const Rule& rule, const MerchandisingContext& context,
             std::span<const std::string> queries) const;

  std::optional<Analyzer> analyzer_;  // set if there are rules
  std::vector<Rule> rules_;
  /// Rules by the whole query that they match; other rules are tested one by one.
  std::unordered_map<std::string, std::vector<size_t>> by_query_;
  std::vector<size_t> others_;
};

}  // namespace emptor::retrieval
