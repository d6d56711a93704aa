// Lists of needs by verdict.
#include "services/assistant/plan/shortcomings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "retrieval/text/fold.h"
#include "services/grounding/phrases.h"

namespace emptor::services {
namespace {

using Kind = AskedNeed::Kind;

class Reader {
 public:
  Reader(const NeedReport& report, const std::vector<Source>& sources, size_t count,
         const std::string& language)
      : report_(report), language_(language) {
    for (size_t i = 0; i < std::min(count, sources.size()); ++i) {
      const bool is_product = sources[i].product() != nullptr;
      judged_.push_back(is_product ? report.Of(sources[i].id()) : nullptr);
    }
    result_.remarks.resize(judged_.size());
  }

  Shortcomings Run() {
    const bool is_judged = !judged_.empty() && std::all_of(judged_.begin(), judged_.end(),
                                                           [](const auto* each) { return each; });
    if (!is_judged) return std::move(result_);
    std::vector<std::vector<std::string>> unmet(judged_.size()), unstated(judged_.size());
    for (size_t i = 0; i < report_.needs.size(); ++i) {
      const std::string text = TextOf(report_.needs[i]);
      // "Light" may be a weight and a volume.
      if (text.empty() || !told_.insert(retrieval::FoldWords(text)).second) continue;
      const auto is = [&](NeedVerdict verdict) {
        return [i, verdict](const auto* each) { return (*each)[i] == verdict; };
      };
      if (std::all_of(judged_.begin(), judged_.end(), is(NeedVerdict::kMet))) {
        result_.met.push_back(text);
      } else if (std::all_of(judged_.begin(), judged_.end(), is(NeedVerdict::kNotStated))) {
        result_.unstated.push_back(text);
      } else if (std::all_of(judged_.begin(), judged_.end(), is(NeedVerdict::kViolated))) {
        result_.unmet.push_back(text);
      } else {
        for (size_t n = 0; n < judged_.size(); ++n) {
          if (is(NeedVerdict::kViolated)(judged_[n])) unmet[n].push_back(text);
          if (is(NeedVerdict::kNotStated)(judged_[n])) unstated[n].push_back(text);
        }
      }
    }
    for (size_t n = 0; n < judged_.size(); ++n) {
      result_.remarks[n] = Listed("remark_unmet", unmet[n]);
      const std::string silent = Listed("remark_unstated", unstated[n]);
      const bool has_both = !result_.remarks[n].empty() && !silent.empty();
      result_.remarks[n] += (has_both ? "; " : "") + silent;
    }
    return std::move(result_);
  }

 private:
  std::string Listed(std::string_view key, const std::vector<std::string>& texts) const {
    if (texts.empty()) return "";
    return Phrase(language_, key, 0, {{"list", fmt::format("{}", fmt::join(texts, ", "))}});
  }

  std::string TextOf(const AskedNeed& need) const {
    // No amount that could be read as a price.
    return need.kind == Kind::kPrice ? Phrase(language_, "asked_price") : need.text;
  }

  const NeedReport& report_;
  const std::string& language_;
  std::vector<const std::vector<NeedVerdict>*> judged_;  // of each product
  std::set<std::string> told_;
  Shortcomings result_;
};

}  // namespace

Shortcomings ComputeShortcomings(const NeedReport& report, const std::vector<Source>& sources,
                                 size_t count, const std::string& language) {
  return Reader(report, sources, count, language).Run();
}

std::string TextOf(const Shortcomings& shortcomings, const std::string& language) {
  const auto listed = [&](std::string_view key, const std::vector<std::string>& texts) {
    return Phrase(language, key, 0, {{"list", fmt::format("{}", fmt::join(texts, ", "))}});
  };
  const std::string blank = language == "zh" ? "" : " ";
  std::string text;
  if (!shortcomings.unmet.empty()) {
    text = Phrase(language, "closest") + blank + listed("unmet", shortcomings.unmet);
    if (!shortcomings.unstated.empty()) {
      text += blank + listed("unstated", shortcomings.unstated);
    }
  } else if (!shortcomings.unstated.empty()) {
    text = listed("none_says", shortcomings.unstated);
  }
  if (text.empty() || shortcomings.met.empty()) return text;
  return text + blank + listed("met", shortcomings.met);
}

}  // namespace emptor::services
