// Reads traces one by one.
#include "services/app/asked_questions.h"

#include <utility>

#include "services/app/conversations.h"
#include "services/assistant/answer_trace.h"

namespace emptor::services {
namespace {

constexpr const char* kNoTraces =
    "faq: no traces are kept: set trace_megabytes above 0 to learn what shoppers ask";

class Collector {
 public:
  void Add(const std::string& bytes) {
    const auto trace = AnswerTrace::Parse(bytes);
    if (!trace.ok()) return;  // of a newer build
    std::string question = trace->policy_question();
    if (question.empty()) return;
    questions_.push_back({std::move(question), trace->locale(), trace->now_unix()});
  }
  std::vector<AskedQuestion> Take() { return std::move(questions_); }

 private:
  std::vector<AskedQuestion> questions_;
};

}  // namespace

absl::StatusOr<std::vector<AskedQuestion>> ReadAskedQuestions(const ConversationArchive* archive) {
  if (archive == nullptr || !archive->keeps_traces()) {
    return absl::NotFoundError(kNoTraces);
  }
  Collector collector;
  const absl::Status visited =
      archive->VisitTraces([&](const std::string& trace) { collector.Add(trace); });
  if (!visited.ok()) return visited;
  return collector.Take();
}

absl::StatusOr<std::vector<AskedQuestion>> ReadAskedQuestions(const Config& config) {
  Collector collector;
  const absl::Status visited =
      ConversationArchive::VisitTracesOf(ConversationsPath(config, config.shop),
                                         [&](const std::string& trace) { collector.Add(trace); });
  if (absl::IsNotFound(visited)) return absl::NotFoundError(kNoTraces);
  if (!visited.ok()) return visited;
  return collector.Take();
}

}  // namespace emptor::services
