// The assistant as a model of /v1/chat/completions: its grounded text alone. Cards, citations and
// tables are part of /v1/assist only.
#pragma once

#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "services/assistant/events/assist_events.h"
#include "services/llm_api/llm_job.h"
#include "services/llm_api/openai_reply.h"

namespace emptor::services {

/// The turns that chat messages tell (AddChatMessage). Pure.
std::vector<HistoryTurn> HistoryOf(const std::vector<engine::ChatMessage>& messages);

/// Thread-safety: as AssistListener says. A client that leaves stops the answer.
class AssistantChatListener final : public AssistListener {
 public:
  AssistantChatListener(std::shared_ptr<Exchange> exchange, OpenAiFormat format, bool stream);

  std::stop_token stop_token() const { return stop_.get_token(); }
  void OnRefused(const absl::Status& status) override;
  bool OnEvent(const AssistEvent& event) override;

 private:
  bool Begin(const StartEvent& start);
  bool Write(const DeltaEvent& delta);
  void End(const DoneEvent& done);
  void Fail(const ErrorEvent& error);

  const std::shared_ptr<Exchange> exchange_;
  OpenAiFormat format_;
  const bool stream_;
  std::stop_source stop_;
  StreamPipe pipe_;
  std::string text_;
};

}  // namespace emptor::services
