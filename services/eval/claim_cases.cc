// Parser, judge and report.
#include "services/eval/claim_cases.h"

#include <algorithm>
#include <map>
#include <utility>

#include "catalog/encoding/fnv.h"
#include "catalog/encoding/json.h"
#include "fmt/format.h"

namespace emptor::services {
namespace {

using catalog::JsonValue;

constexpr uint64_t kSealedShare = 5;  // one of so many

/// Reads the members of one line; keeps the first mistake.
class LineReader {
 public:
  LineReader(const JsonValue& line, size_t number) : line_(line), number_(number) {}

  const absl::Status& status() const { return status_; }

  const JsonValue* Member(std::string_view name, JsonValue::Kind kind) {
    const JsonValue* const found = line_.Find(name);
    if (found != nullptr && found->kind() == kind) return found;
    if (status_.ok()) {
      const auto has =
          found == nullptr ? std::string_view("nothing") : catalog::DescribeKind(found->kind());
      status_ = absl::InvalidArgumentError(fmt::format("{}: {}: expected {}, found {}", number_,
                                                       name, catalog::DescribeKind(kind), has));
    }
    return nullptr;
  }
  std::string String(std::string_view name) {
    const JsonValue* const found = Member(name, JsonValue::Kind::kString);
    return found == nullptr ? "" : found->as_string();
  }
  std::vector<std::string> Strings(std::string_view name) {
    std::vector<std::string> strings;
    const JsonValue* const found = Member(name, JsonValue::Kind::kArray);
    if (found == nullptr) return strings;
    for (const JsonValue& each : found->as_array()) {
      if (each.is_string()) strings.push_back(each.as_string());
    }
    return strings;
  }

 private:
  const JsonValue& line_;
  const size_t number_;
  absl::Status status_;
};

std::optional<ClaimRank> ReadRank(const JsonValue& line) {
  const JsonValue* const rank = line.Find("rank");
  if (rank == nullptr || !rank->is_object()) return std::nullopt;
  ClaimRank read;
  const JsonValue* const key = rank->Find("key");
  const JsonValue* const order = rank->Find("order");
  const JsonValue* const winner = rank->Find("winner");
  if (key == nullptr || order == nullptr || winner == nullptr) return std::nullopt;
  if (!key->is_string() || !order->is_string() || !winner->is_string()) return std::nullopt;
  read.key = key->as_string();
  read.is_least = order->as_string() == "min";
  read.winner = winner->as_string();
  return read;
}

struct Counts {
  size_t passed = 0, false_ones = 0, blocked = 0, true_ones = 0;

  void Add(const JudgedClaim& claim) {
    if (claim.of->is_true) {
      ++true_ones;
      if (claim.is_wrong()) ++blocked;
    } else {
      ++false_ones;
      if (claim.is_wrong()) ++passed;
    }
  }
  std::string Row(std::string_view name) const {
    const auto share = [](size_t part, size_t all) {
      return all == 0 ? 0 : static_cast<double>(part) / static_cast<double>(all);
    };
    return fmt::format("  {:<14} {:>5} of {:<5} {:.3f}   {:>5} of {:<5} {:.3f}\n", name, passed,
                       false_ones, share(passed, false_ones), blocked, true_ones,
                       share(blocked, true_ones));
  }
};

}  // namespace

bool ClaimCase::is_sealed() const { return catalog::Fnv1a64(id) % kSealedShare == 0; }

absl::StatusOr<std::vector<ClaimCase>> ParseClaimCases(std::string_view text) {
  std::vector<ClaimCase> cases;
  size_t number = 0;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    ++number;
    if (line.empty()) continue;
    const auto json = catalog::ParseJson(line);
    if (!json.ok()) {
      return absl::InvalidArgumentError(
          fmt::format("{}: {}", number, std::string(json.status().message())));
    }
    LineReader reader(*json, number);
    ClaimCase each;
    each.id = reader.String("id");
    each.language = reader.String("lang");
    each.shop = reader.String("shop");
    each.kind = reader.String("kind");
    each.question = reader.String("question");
    each.sentence = reader.String("sentence");
    each.products = reader.Strings("products");
    each.documents = reader.Strings("documents");
    each.rank = ReadRank(*json);
    const JsonValue* const truth = reader.Member("true", JsonValue::Kind::kBool);
    if (!reader.status().ok()) return reader.status();
    each.is_true = truth->as_bool();
    cases.push_back(std::move(each));
  }
  return cases;
}

JudgedClaims JudgeClaims(const std::vector<ClaimCase>& cases, const ClaimRecords& records,
                         int64_t now_unix) {
  JudgedClaims judged;
  for (const ClaimCase& each : cases) {
    ClaimSources sources;
    for (const std::string& id : each.products) {
      if (auto product = records.product(id)) sources.sources.push_back({*std::move(product)});
    }
    for (const std::string& id : each.documents) {
      if (auto document = records.document(id)) sources.sources.push_back({*std::move(document)});
    }
    if (sources.sources.size() < each.products.size() + each.documents.size()) {
      ++judged.skipped;
      continue;
    }
    sources.language = each.language;
    sources.question = each.question;
    sources.rank = each.rank;
    sources.now_unix = now_unix;
    ClaimChecker checker(std::move(sources));
    judged.claims.push_back({&each, checker.Check(each.sentence)});
  }
  return judged;
}

std::string ClaimReportText(const JudgedClaims& judged, bool failures) {
  Counts open, sealed;
  std::map<std::string, Counts> by_kind, by_language;
  std::string text;
  for (const JudgedClaim& claim : judged.claims) {
    if (claim.of->is_sealed()) {
      sealed.Add(claim);
      continue;
    }
    open.Add(claim);
    by_kind[claim.of->kind].Add(claim);
    by_language[claim.of->language].Add(claim);
    if (!failures || !claim.is_wrong()) continue;
    text += fmt::format("{} {} {} {}: {} [{}: {}]\n", claim.of->is_true ? "blocked" : "passed",
                        claim.of->id, claim.of->language, claim.of->kind, claim.of->sentence,
                        ToString(claim.verdict.rule), claim.verdict.claim);
  }
  text += "                 false ones passed         true ones blocked\n";
  text += open.Row("open") + sealed.Row("sealed");
  text += "open, by kind\n";
  for (const auto& [kind, counts] : by_kind) text += counts.Row(kind);
  text += "open, by language\n";
  for (const auto& [language, counts] : by_language) text += counts.Row(language);
  text += fmt::format("skipped, a record is not in the shop: {}\n", judged.skipped);
  return text;
}

}  // namespace emptor::services
