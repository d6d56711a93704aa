// Runs a traced turn again on the records of today.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "services/assistant/answer_trace.h"
#include "services/assistant/events/assist_events.h"
#include "services/assistant/types/meanings.h"
#include "services/shop/shop_reader.h"

namespace emptor::services {

struct ReplayReport {
  std::string text;                    // of the turn that was run again
  bool is_same_text = false;           // byte for byte
  bool is_same_prompt = false;         // false: other records, or another build
  std::vector<std::string> hits;       // ids of the sources now, in their order
  std::vector<std::string> hits_then;  // as recorded
  // Of the claim checker on each sentence of the model: "kept: The K80 ...".
  std::vector<std::string> verdicts;       // now
  std::vector<std::string> verdicts_then;  // as recorded

  bool is_same_verdicts() const { return verdicts == verdicts_then; }
};

/// Feeds the state before the turn, the request, the settings, the clock and, where a model was
/// asked, its recorded text; no model runs. `needs`: see AssistantParts. `listener` gets the
/// events; may be null. Differences come from records that changed or from another build. Errors:
/// kInvalidArgument (a request that the API would refuse), and those of the answer
/// (Assistant::Ask). Blocks; the events come on a thread of its own.
absl::StatusOr<ReplayReport> ReplayTrace(const AnswerTrace& trace, const ShopReader& shop,
                                         Meanings meanings = {},
                                         std::shared_ptr<AssistListener> listener = nullptr);

/// Lines for people: "same text, same prompt", or what differs, line by line.
std::string DescribeReplay(const AnswerTrace& trace, const ReplayReport& report);

}  // namespace emptor::services
