// Tries fewer and fewer of the inherited conditions.
#include "services/assistant/search/inherited_conditions.h"

#include <algorithm>
#include <utility>

#include "retrieval/query/relaxation.h"

namespace emptor::services {
namespace {

using retrieval::FilterPart;

bool IsRelaxed(const Retrieved& retrieved, FilterPart part) {
  return std::any_of(retrieved.relaxed.begin(), retrieved.relaxed.end(),
                     [&](const auto& step) { return step.part == part; });
}

bool HasAttribute(const retrieval::Filter& filter, const retrieval::AttributeCondition& wanted) {
  return std::find(filter.attributes.begin(), filter.attributes.end(), wanted) !=
         filter.attributes.end();
}

bool GaveUpSaid(const retrieval::Filter& said, const Retrieved& retrieved) {
  for (int i = 0; i < retrieval::kFilterPartCount; ++i) {
    const auto part = static_cast<FilterPart>(i);
    if (!HasPart(part, said) || !IsRelaxed(retrieved, part)) continue;
    if (part != FilterPart::kAttribute) return true;
    const bool keeps_all =
        std::all_of(said.attributes.begin(), said.attributes.end(),
                    [&](const auto& each) { return HasAttribute(retrieved.filter, each); });
    if (!keeps_all) return true;
  }
  return false;
}

bool HasWord(const catalog::Product& product, const WordCondition& word) {
  return Meets(product.title, word) || RecordWords::Learn({&product}).Knows(word);
}

/// What was given up of `before`, as relaxation tells it.
void TellGivenUp(const Understanding& before, const Understanding& now, Retrieved& retrieved) {
  retrieved.topic_filter = now.filter;
  retrieved.topic_words = now.words;
  retrieved.asked = before.filter;
  for (int i = 0; i < retrieval::kFilterPartCount; ++i) {
    const auto part = static_cast<FilterPart>(i);
    const bool is_fewer = part == FilterPart::kAttribute &&
                          now.filter.attributes.size() < before.filter.attributes.size();
    if (is_fewer || (HasPart(part, before.filter) && !HasPart(part, now.filter))) {
      retrieved.relaxed.push_back({part});
    }
  }
  for (const WordCondition& each : before.words) {
    const bool is_kept = std::find(now.words.begin(), now.words.end(), each) != now.words.end();
    const bool is_met =
        std::any_of(retrieved.sources.begin(), retrieved.sources.end(), [&](const Source& source) {
          return source.product() != nullptr && HasWord(*source.product(), each);
        });
    if (!is_kept && !is_met) retrieved.lacking.push_back(each.text);
  }
}

}  // namespace

std::vector<Understanding> WithFewerInherited(const Understanding& understanding,
                                              const RecordWords* records) {
  const retrieval::Filter& said = understanding.said_filter;
  std::vector<Understanding> fewer;
  const auto add = [&](Understanding next) {
    const Understanding& last = fewer.empty() ? understanding : fewer.back();
    const bool is_same = next.filter == last.filter && next.words == last.words;
    if (!is_same) fewer.push_back(std::move(next));
  };
  Understanding next = understanding;
  next.filter.attributes = said.attributes;
  next.filter.ranges = said.ranges;
  next.filter.colors = said.colors;
  add(next);
  const std::vector<WordCondition> words = next.words, said_words = understanding.said_words;
  const auto is_said = [&](const WordCondition& each) {
    return std::find(said_words.begin(), said_words.end(), each) != said_words.end();
  };
  const auto is_maker = [&](const WordCondition& each) {
    return records != nullptr && records->IsMostlyMaker(each.text);
  };
  for (const bool makers : {false, true}) {
    for (const WordCondition& each : words) {
      if (is_said(each) || is_maker(each) != makers) continue;
      std::erase(next.words, each);
      add(next);
      next.words = words;
    }
    // Of the maker, whatever else was asked.
    std::erase_if(next.words, [&](const auto& each) { return !is_said(each) && !is_maker(each); });
    add(next);
    next.words = words;
  }
  next.words = understanding.said_words;
  next.search_text = understanding.said_text;
  add(next);
  retrieval::Filter own = said;
  own.categories = next.filter.categories;
  own.locale = next.filter.locale;
  own.region = next.filter.region;
  next.filter = std::move(own);
  add(next);
  return fewer;
}

bool FailsSaid(const Understanding& understanding, const Retrieved& retrieved) {
  if (retrieved.why.empty()) return true;
  if (GaveUpSaid(understanding.said_filter, retrieved)) return true;
  const catalog::Product* const first = retrieved.sources.front().product();
  const auto& words = understanding.said_words;
  return first != nullptr && std::any_of(words.begin(), words.end(),
                                         [&](const auto& word) { return !HasWord(*first, word); });
}

absl::StatusOr<Retrieved> RetrieveFollowUp(const ShopReader& shop, const RetrieverOptions& options,
                                           const RetrievalInput& input) {
  const Understanding& understanding = input.understanding;
  auto found = Retrieve(shop, options, input);
  const bool searches = understanding.follows_up && !understanding.comparison &&
                        !understanding.counts_all && understanding.type;
  if (!found.ok() || !searches || found->is_about_shown) return found;
  if (!FailsSaid(understanding, *found)) return found;
  for (const Understanding& fewer : WithFewerInherited(
           understanding, input.table == nullptr ? nullptr : &input.table->schema.words())) {
    RetrievalInput again = input;
    again.understanding = fewer;
    auto other = Retrieve(shop, options, again);
    if (!other.ok()) return other;
    if (other->is_about_shown || FailsSaid(fewer, *other)) continue;
    TellGivenUp(understanding, fewer, *other);
    return other;
  }
  return found;
}

}  // namespace emptor::services
