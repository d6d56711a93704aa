// Admits questions.
#include "services/assistant/assistant.h"

#include <utility>

#include "services/assistant/answer.h"

namespace emptor::services {

Assistant::Assistant(AssistantOptions options, AssistantParts parts)
    : options_(std::move(options)), parts_(std::move(parts)) {
  if (!options_.warms_types) return;
  const std::string& locale = options_.default_locale;
  warmer_ = std::make_unique<TypeWarmer>(parts_.shop, parts_.types,
                                         locale.substr(0, locale.find_first_of("-_")));
}
Assistant::~Assistant() = default;

std::string Assistant::model_name() const {
  return parts_.generator == nullptr ? "none" : parts_.generator->model_name();
}

void Assistant::Ask(AssistRequest request, std::shared_ptr<AssistListener> listener) {
  auto answer = std::make_shared<Answer>(options_, parts_, std::move(request), listener);
  const bool admitted = parts_.workers.TrySubmit([answer] { answer->Run(); });
  if (!admitted) {
    listener->OnRefused(absl::ResourceExhaustedError("assist: the queue of questions is full"));
  }
}

}  // namespace emptor::services
