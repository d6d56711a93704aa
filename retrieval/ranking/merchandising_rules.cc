// Strict reading, and matching by the words of the index.
#include "retrieval/ranking/merchandising_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <unordered_set>
#include <utility>

#include "catalog/encoding/json.h"
#include "catalog/encoding/timestamp.h"
#include "catalog/validation.h"
#include "retrieval/text/fold.h"

namespace emptor::retrieval {

using catalog::JsonValue;

namespace {

constexpr catalog::JsonLimits kLimits = {
    .max_bytes = MerchandisingRules::kMaxBytes, .max_depth = 8, .max_nodes = 1u << 20};
constexpr size_t kMaxTextBytes = 256;

absl::Status Wrong(const std::string& what) { return absl::InvalidArgumentError("pins: " + what); }

/// " noise cancelling headphone ": one text in another is one run of terms in another.
std::string TermsOf(const Analyzer& analyzer, std::string_view text) {
  std::string terms;
  analyzer.ForEachTerm(text, TextRole::kQuery, [&](std::string_view term) {
    terms += terms.empty() ? " " : "";
    terms += term;
    terms += ' ';
  });
  return terms;
}

bool HasAnyOf(const std::vector<std::string>& wanted, std::span<const std::string> values) {
  return std::any_of(values.begin(), values.end(), [&](const std::string& value) {
    return std::find(wanted.begin(), wanted.end(), FoldForComparison(value)) != wanted.end();
  });
}

}  // namespace

/// Fills one rule from its JSON; `status` is the first thing that was wrong.
class MerchandisingRuleReader {
 public:
  using Rule = MerchandisingRules::Rule;

  MerchandisingRuleReader(const Analyzer& analyzer, std::string where)
      : analyzer_(analyzer), where_(std::move(where)) {}

  absl::Status Read(const JsonValue& value, Rule& rule) {
    if (!value.is_object()) return Wrong(where_ + ": expected an object");
    for (const catalog::JsonMember& member : value.as_object()) {
      if (absl::Status status = ReadMember(member, rule); !status.ok()) return status;
    }
    if (rule.queries.empty() && rule.brands.empty() && rule.categories.empty()) {
      return Wrong(where_ + ": expected queries, brands or categories");
    }
    if (rule.actions.empty()) return Wrong(where_ + ": expected pin, bury or boost");
    if (rule.from_unix && rule.until_unix && *rule.from_unix >= *rule.until_unix) {
      return Wrong(where_ + ".until: expected a time after from");
    }
    return absl::OkStatus();
  }

 private:
  absl::Status ReadMember(const catalog::JsonMember& member, Rule& rule) {
    const std::string& name = member.name;
    const std::string at = where_ + "." + name;
    const JsonValue& value = member.value;
    if (name == "name") return ReadText(value, at).status();
    if (name == "match") return ReadMatch(value, at, rule);
    if (name == "from") return ReadTime(value, at, rule.from_unix);
    if (name == "until") return ReadTime(value, at, rule.until_unix);
    if (name == "queries") return ReadQueries(value, at, rule.queries);
    if (name == "brands") return ReadFolded(value, at, rule.brands);
    if (name == "categories") return ReadFolded(value, at, rule.categories);
    if (name == "pin") return ReadIds(value, at, rule.actions.pinned);
    if (name == "bury") return ReadIds(value, at, rule.actions.buried);
    if (name == "boost") return ReadBoosts(value, at, rule.actions.boosted);
    return Wrong(where_ + ": unknown member " + name.substr(0, 64));
  }

  static absl::StatusOr<std::string> ReadText(const JsonValue& value, const std::string& at) {
    const bool is_text = value.is_string() && !value.as_string().empty() &&
                         value.as_string().size() <= kMaxTextBytes;
    if (is_text) return value.as_string();
    return Wrong(fmt::format("{}: expected a text of 1 to {} bytes", at, kMaxTextBytes));
  }

  /// Calls `read` with each value of a list and its place.
  template <typename ReadOne>
  static absl::Status ReadList(const JsonValue& value, const std::string& at, ReadOne read) {
    const bool is_list = value.is_array() && !value.as_array().empty() &&
                         value.as_array().size() <= MerchandisingRules::kMaxValues;
    if (!is_list) {
      return Wrong(
          fmt::format("{}: expected a list of 1 to {}", at, MerchandisingRules::kMaxValues));
    }
    for (size_t i = 0; i < value.as_array().size(); ++i) {
      absl::Status status = read(value.as_array()[i], fmt::format("{}[{}]", at, i));
      if (!status.ok()) return status;
    }
    return absl::OkStatus();
  }

  absl::Status ReadQueries(const JsonValue& value, const std::string& at,
                           std::vector<std::string>& queries) const {
    return ReadList(value, at, [&](const JsonValue& each, const std::string& place) {
      const auto text = ReadText(each, place);
      if (!text.ok()) return text.status();
      queries.push_back(TermsOf(analyzer_, *text));
      if (queries.back().empty()) return Wrong(place + ": expected a word");
      return absl::OkStatus();
    });
  }

  static absl::Status ReadFolded(const JsonValue& value, const std::string& at,
                                 std::vector<std::string>& folded) {
    return ReadList(value, at, [&](const JsonValue& each, const std::string& place) {
      const auto text = ReadText(each, place);
      if (text.ok()) folded.push_back(FoldForComparison(*text));
      return text.status();
    });
  }

  absl::StatusOr<std::string> ReadId(const JsonValue& value, const std::string& at) {
    if (!value.is_string() || !catalog::IsValidId(value.as_string())) {
      return Wrong(at + ": expected a product id");
    }
    if (!ids_.insert(value.as_string()).second) return Wrong(at + ": occurs twice in this rule");
    return value.as_string();
  }

  absl::Status ReadIds(const JsonValue& value, const std::string& at,
                       std::vector<std::string>& ids) {
    return ReadList(value, at, [&](const JsonValue& each, const std::string& place) {
      auto id = ReadId(each, place);
      if (id.ok()) ids.push_back(*std::move(id));
      return id.status();
    });
  }

  absl::Status ReadBoosts(const JsonValue& value, const std::string& at,
                          std::vector<Boost>& boosts) {
    return ReadList(value, at, [&](const JsonValue& each, const std::string& place) {
      const JsonValue* id = each.Find("id");
      const JsonValue* factor = each.Find("factor");
      if (id == nullptr || factor == nullptr || each.as_object().size() != 2) {
        return Wrong(place + ": expected an object of id and factor");
      }
      auto read = ReadId(*id, place + ".id");
      if (!read.ok()) return read.status();
      const bool is_good = factor->is_number() &&
                           factor->as_double() >= MerchandisingRules::kMinFactor &&
                           factor->as_double() <= MerchandisingRules::kMaxFactor;
      if (!is_good) return Wrong(place + ".factor: expected a number from 0.1 to 10");
      boosts.push_back({*std::move(read), static_cast<float>(factor->as_double())});
      return absl::OkStatus();
    });
  }

  static absl::Status ReadMatch(const JsonValue& value, const std::string& at, Rule& rule) {
    const bool is_text = value.is_string();
    rule.within = is_text && value.as_string() == "within";
    if (rule.within || (is_text && value.as_string() == "whole")) return absl::OkStatus();
    return Wrong(at + ": expected \"whole\" or \"within\"");
  }

  static absl::Status ReadTime(const JsonValue& value, const std::string& at,
                               std::optional<int64_t>& time) {
    if (value.is_string()) time = catalog::ParseRfc3339(value.as_string());
    return time ? absl::OkStatus() : Wrong(at + ": expected a date-time by RFC 3339");
  }

  const Analyzer& analyzer_;
  const std::string where_;
  std::unordered_set<std::string> ids_;
};

absl::StatusOr<MerchandisingRules> MerchandisingRules::Parse(std::string_view text,
                                                             const Analyzer& analyzer) {
  const auto json = catalog::ParseJson(text, kLimits);
  if (!json.ok()) return Wrong(std::string(json.status().message()));
  const JsonValue* list = json->Find("rules");
  if (list == nullptr || !list->is_array() || json->as_object().size() != 1) {
    return Wrong("expected an object with the one member rules, a list");
  }
  if (list->as_array().size() > kMaxRules) {
    return Wrong(fmt::format("rules: expected at most {}", kMaxRules));
  }
  MerchandisingRules rules;
  rules.analyzer_ = analyzer;
  for (const JsonValue& value : list->as_array()) {
    const size_t number = rules.rules_.size();
    Rule& rule = rules.rules_.emplace_back();
    MerchandisingRuleReader reader(analyzer, fmt::format("rules[{}]", number));
    if (absl::Status status = reader.Read(value, rule); !status.ok()) return status;
    if (rule.within || rule.queries.empty()) rules.others_.push_back(number);
    if (rule.within) continue;
    for (const std::string& query : rule.queries) {
      std::vector<size_t>& numbers = rules.by_query_[query];
      if (numbers.empty() || numbers.back() != number) numbers.push_back(number);
    }
  }
  return rules;
}

int64_t MerchandisingRules::NextChange(int64_t now_unix) const {
  int64_t next = std::numeric_limits<int64_t>::max();
  for (const Rule& rule : rules_) {
    for (const auto& time : {rule.from_unix, rule.until_unix}) {
      if (time && *time > now_unix) next = std::min(next, *time);
    }
  }
  return next;
}

bool MerchandisingRules::Holds(const Rule& rule, const MerchandisingContext& context,
                               std::span<const std::string> queries) const {
  if (rule.from_unix && context.now_unix < *rule.from_unix) return false;
  if (rule.until_unix && context.now_unix >= *rule.until_unix) return false;
  if (!rule.brands.empty() && !HasAnyOf(rule.brands, context.brands)) return false;
  if (!rule.categories.empty() && !HasAnyOf(rule.categories, context.categories)) return false;
  if (rule.queries.empty() || !rule.within) return true;  // whole ones were looked up
  return std::any_of(rule.queries.begin(), rule.queries.end(), [&](const std::string& wanted) {
    return std::any_of(queries.begin(), queries.end(), [&](const std::string& query) {
      return query.find(wanted) != std::string::npos;
    });
  });
}

Merchandising MerchandisingRules::Match(const MerchandisingContext& context) const {
  Merchandising merchandising;
  if (rules_.empty()) return merchandising;
  std::vector<std::string> queries;
  for (const std::string_view text : context.queries) {
    queries.push_back(TermsOf(*analyzer_, text));
  }
  std::vector<size_t> numbers = others_;
  for (const std::string& query : queries) {
    const auto found = by_query_.find(query);
    if (found == by_query_.end()) continue;
    numbers.insert(numbers.end(), found->second.begin(), found->second.end());
  }
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  std::unordered_set<std::string_view> named;
  for (const size_t number : numbers) {
    const Rule& rule = rules_[number];
    if (!Holds(rule, context, queries)) continue;
    for (const std::string& id : rule.actions.pinned) {
      if (named.insert(id).second) merchandising.pinned.push_back(id);
    }
    for (const std::string& id : rule.actions.buried) {
      if (named.insert(id).second) merchandising.buried.push_back(id);
    }
    for (const Boost& boost : rule.actions.boosted) {
      if (named.insert(boost.id).second) merchandising.boosted.push_back(boost);
    }
  }
  return merchandising;
}

}  // namespace emptor::retrieval
