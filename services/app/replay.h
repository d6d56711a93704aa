// Answers that are run again from their traces.
#pragma once

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "services/app/config.h"
#include "services/assistant/events/assist_events.h"

namespace emptor::services {

struct Replayed {
  bool is_same_text = false;
  std::string description;  // lines for people
};

/// Runs the turn of a trace again on the shop of the settings, without a model (trace_replay.h).
/// `file_or_id`: a file of `emptor ask --trace`, or the id of an answer whose trace the shop keeps.
/// No service may hold the data directory. Errors: kNotFound, and those of AnswerTrace::Parse,
/// OpenShop and ReplayTrace.
absl::StatusOr<Replayed> ReplayAnswer(const Config& config, const std::string& file_or_id,
                                      std::shared_ptr<AssistListener> listener);

}  // namespace emptor::services
