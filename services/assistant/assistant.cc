// Admits questions.
#include "services/assistant/assistant.h"

#include <memory>
#include <utility>

#include "services/assistant/answer.h"

namespace emptor::services {
namespace {

class NoListener final : public AssistListener {
 public:
  void OnRefused(const absl::Status&) override {}
  bool OnEvent(const AssistEvent&) override { return true; }
};

/// Answers two questions for nobody: lexicons, the dictionary and the index of policies are read
/// at their first use, which took 0.4 s of the first shopper's time.
void Rehearse(const AssistantOptions& options, const AssistantParts& parts) {
  for (const char* const message : {"are you open?", "do you have somthing nise"}) {
    AssistRequest request;
    request.message = message;
    request.is_stored = false;
    std::make_shared<Answer>(options, ForNobody(parts), std::move(request),
                             std::make_shared<NoListener>())
        ->Run();
  }
}

}  // namespace

Assistant::Assistant(AssistantOptions options, AssistantParts parts)
    : options_(std::move(options)), parts_(std::move(parts)) {
  if (!options_.warms_types) return;
  const std::string& locale = options_.default_locale;
  warmer_ = std::make_unique<TypeWarmer>(parts_.shop, parts_.types,
                                         locale.substr(0, locale.find_first_of("-_")));
  Rehearse(options_, parts_);
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

absl::StatusOr<ReadMessage> Assistant::Read(const std::string& message,
                                            const std::vector<ConversationTurn>& before) const {
  AssistRequest request;
  request.message = message;
  request.is_stored = false;
  const auto answer = std::make_shared<Answer>(options_, ForNobody(parts_), std::move(request),
                                               std::make_shared<NoListener>());
  auto turn = answer->Replay(before);
  if (!turn.ok()) return turn.status();
  return ReadMessage{answer->understanding(), *std::move(turn)};
}

}  // namespace emptor::services
