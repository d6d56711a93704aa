// Counts, each with its labels.
#include "services/shop/text_counters.h"

#include <algorithm>

#include "catalog/documents/document_reader.h"

namespace emptor::services {

using catalog::ScreenPolicy;
using catalog::ScreenRule;
using catalog::TextWarning;

void TextCounters::CountScreened(ScreenPolicy policy, std::span<const TextWarning> found) {
  const bool is_found = std::any_of(found.begin(), found.end(), [](const TextWarning& warning) {
    return warning.rule != ScreenRule::kHiddenText;
  });
  const char* caught = policy == ScreenPolicy::kQuarantine ? "quarantined" : "flagged";
  const std::string of_policy(ToString(policy));
  const std::lock_guard lock(mutex_);
  ++records_[{{"policy", of_policy}, {"result", is_found ? caught : "clean"}}];
  for (const TextWarning& warning : found) {
    ++findings_[{{"policy", of_policy}, {"rule", std::string(ToString(warning.rule))}}];
  }
}

void TextCounters::CountRefusedDocument(const absl::Status& status) {
  const std::lock_guard lock(mutex_);
  ++refused_[{{"reason", catalog::DocumentRefusalOf(status)}}];
}

std::vector<TextCounters::Count> TextCounters::Copy(const Counts& counts) const {
  const std::lock_guard lock(mutex_);
  std::vector<Count> copy;
  for (const auto& [labels, value] : counts) copy.push_back({labels, value});
  return copy;
}

std::vector<TextCounters::Count> TextCounters::records() const { return Copy(records_); }
std::vector<TextCounters::Count> TextCounters::findings() const { return Copy(findings_); }
std::vector<TextCounters::Count> TextCounters::refused_documents() const { return Copy(refused_); }

}  // namespace emptor::services
