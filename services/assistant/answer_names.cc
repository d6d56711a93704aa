// Products that a message names, looked for among all of the topic's goods before anything else is.
#include <optional>
#include <utility>

#include "services/assistant/answer.h"
#include "services/assistant/search/named_pair.h"
#include "services/assistant/search/named_subject.h"
#include "services/assistant/search/need_verdicts.h"

namespace emptor::services {

/// The table of a type that understanding looked at, or looks at now; null: it cannot be learned.
std::shared_ptr<const TypeTable> Answer::TableOf(const ProductType& type) {
  SchemaOf(type, understanding_.language);
  const auto table = tables_.find(TypeCatalog::KeyOf(type, FilterLocale(understanding_.language)));
  return table == tables_.end() ? nullptr : table->second;
}

/// "Bosch or bajaj, which is better rated", "how much is the crompton": the goods of the topic come
/// first, then those that the message itself names, as the name of a product may be that of a type:
/// "the brick".
absl::Status Answer::ResolveNames() {
  if (understanding_.desk != DeskAct::kNone) return absl::OkStatus();
  std::vector<std::optional<ProductType>> types;
  if (!turns_.empty() && turns_.back().type) types.push_back(turns_.back().type);
  const bool has_topic = !types.empty();
  const bool is_other =
      understanding_.type && (!has_topic || types.front()->name != understanding_.type->name);
  if (is_other) types.push_back(understanding_.type);
  for (const std::optional<ProductType>& type : types) {
    const auto table = TableOf(*type);
    if (table == nullptr) continue;
    Understanding of_type = understanding_;
    of_type.type = type;
    auto pair = FindNamedPair({parts_.shop, *table, of_type, turns_, parts_.now_unix(), market_});
    if (!pair.ok()) return pair.status();
    if (pair->ids.size() < 2) continue;
    understanding_ = WithPair(std::move(of_type), *std::move(pair));
    table_ = table;
    return absl::OkStatus();
  }
  return has_topic ? ResolveSubject(*types.front(), is_other) : absl::OkStatus();
}

/// One name, or a value of the product in question, within the topic.
absl::Status Answer::ResolveSubject(const ProductType& type, bool names_other_type) {
  const auto table = TableOf(type);
  if (table == nullptr) return absl::OkStatus();
  Understanding of_type = understanding_;
  of_type.type = type;
  const SubjectInput input{parts_.shop, *table, of_type, turns_, names_other_type};
  auto shared = FindSharedValue(input);
  if (!shared.ok()) return shared.status();
  if (!shared->condition.name.empty()) {
    understanding_ = WithSharedValue(std::move(of_type), turns_.back(), *std::move(shared));
    table_ = table;
    return absl::OkStatus();
  }
  auto subject = FindVariants(input, parts_.now_unix(), market_);
  if (subject.ok() && subject->empty()) subject = FindNamedSubject(input);
  if (!subject.ok()) return subject.status();
  if (subject->empty()) return absl::OkStatus();
  understanding_ = WithSubject(std::move(of_type), *std::move(subject));
  table_ = table;
  return absl::OkStatus();
}

/// Sides of a comparison that no record of the type has are said to be missing.
void Answer::JudgePair() {
  if (!understanding_.is_pair_named || understanding_.missing.empty()) return;
  NeedReport report;
  report.needs = NeedsOf(understanding_, understanding_.filter, {}, {}, nullptr);
  std::vector<FoundProduct> found;
  for (const Source& each : retrieved_.sources) {
    if (each.product() != nullptr) found.push_back({*each.product(), {}});
  }
  const auto verdicts = JudgeNeeds({report.needs, table_.get(), asked_unix_, market_}, found);
  for (size_t i = 0; i < found.size(); ++i) report.verdicts[found[i].product.id] = verdicts[i];
  retrieved_.needs = std::move(report);
}

}  // namespace emptor::services
