// The conditions that what is shown does not meet.
#include <algorithm>
#include <vector>

#include "services/assistant/search/need_verdicts.h"

namespace emptor::services {

namespace {

using Kind = AskedNeed::Kind;

/// Takes the need out of the filter, and notes its part.
void GiveUp(const AskedNeed& need, GivenUp& given_up) {
  for (int i = 0; i < retrieval::kFilterPartCount; ++i) {
    const auto part = static_cast<retrieval::FilterPart>(i);
    if (!HasPart(part, need.condition)) continue;
    if (part == retrieval::FilterPart::kAttribute) {
      std::erase(given_up.left.attributes, need.condition.attributes[0]);
    } else if (part == retrieval::FilterPart::kRange) {
      std::erase(given_up.left.ranges, need.condition.ranges[0]);
    } else {
      CopyPart(part, retrieval::Filter(), given_up.left);
    }
    const auto is_part = [&](const auto& step) { return step.part == part; };
    if (std::none_of(given_up.parts.begin(), given_up.parts.end(), is_part)) {
      given_up.parts.push_back({part});
    }
  }
}

}  // namespace

GivenUp GivenUpOf(const NeedReport& report, const retrieval::Filter& filter,
                  const std::vector<FoundProduct>& found, size_t count) {
  GivenUp given_up;
  given_up.left = filter;
  const size_t end = std::min(count, found.size());
  for (size_t i = 0; i < report.needs.size(); ++i) {
    size_t met = 0;
    for (size_t n = 0; n < end; ++n) {
      const auto* const verdicts = report.Of(found[n].product.id);
      const bool is_met = verdicts != nullptr && (*verdicts)[i] == NeedVerdict::kMet;
      if (is_met) ++met;
      if (n == 0 && report.needs[i].word) given_up.misses_words |= !is_met;
    }
    if (met == end && end > 0) continue;
    const AskedNeed& need = report.needs[i];
    if (need.word && met == 0) given_up.lacking.push_back(need.text);
    if (!need.word && need.kind != Kind::kWish) GiveUp(need, given_up);
  }
  return given_up;
}

void WidenPrice(const VerdictInput& input, const retrieval::Filter& filter,
                const std::vector<FoundProduct>& found, size_t count, GivenUp& given_up) {
  constexpr auto kPart = retrieval::FilterPart::kPrice;
  const auto step = std::find_if(given_up.parts.begin(), given_up.parts.end(),
                                 [](const auto& each) { return each.part == kPart; });
  if (step == given_up.parts.end() || found.empty()) return;
  const retrieval::RelaxationStep widened{kPart, true};
  const retrieval::Filter wide = retrieval::ApplyRelaxation(filter, {&widened, 1});
  AskedNeed need{.kind = Kind::kPrice};
  CopyPart(kPart, wide, need.condition);
  need.condition.region = filter.region;
  const auto end = found.begin() + static_cast<std::ptrdiff_t>(std::min(count, found.size()));
  const std::vector<AskedNeed> needs = {need};
  const auto verdicts = JudgeNeeds({needs, input.table, input.now_unix, input.market, false},
                                   std::vector<FoundProduct>(found.begin(), end));
  const bool are_within = std::all_of(verdicts.begin(), verdicts.end(), [](const auto& each) {
    return each.front() == NeedVerdict::kMet;
  });
  if (!are_within) return;
  CopyPart(kPart, wide, given_up.left);
  *step = widened;
}

}  // namespace emptor::services
