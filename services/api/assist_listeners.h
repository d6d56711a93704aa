// Listeners of an answer that write it to an HTTP client: as a stream of events, or as one JSON.
#pragma once

#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "services/api/answer_streams.h"
#include "services/assistant/events/assist_events.h"
#include "services/http/exchange.h"

namespace emptor::services {

/// Writes the events of assist_events.h with ids 1, 2, 3, ...; a client that leaves
/// stops the answer. Thread-safety: that of AssistListener; a stream may end on any thread.
class SseListener final : public AssistListener {
 public:
  SseListener(std::shared_ptr<Exchange> exchange, std::string base_url);
  /// The answer goes on when the client leaves, and can be taken up from `streams` by the owner.
  SseListener(std::shared_ptr<Exchange> exchange, std::string base_url,
              std::shared_ptr<AnswerStreams> streams, std::string owner);

  std::stop_token stop_token() const { return stop_.get_token(); }
  void OnRefused(const absl::Status& status) override;
  bool OnEvent(const AssistEvent& event) override;

 private:
  bool Open();

  const std::shared_ptr<Exchange> exchange_;
  const std::string base_url_;
  std::stop_source stop_;
  const std::shared_ptr<AnswerStreams> streams_;  // null: it cannot be taken up
  const std::string owner_;
  std::shared_ptr<AnswerStream> stream_;
  int64_t next_id_ = 1;
};

/// What a stream of an answer begins with, and its last words when the service stops.
StreamOptions AnswerStreamOptions(const std::string& base_url, const std::string& request_id);

/// Collects the events and answers once, at the end; a client that leaves stops the answer.
class JsonListener final : public AssistListener {
 public:
  JsonListener(std::shared_ptr<Exchange> exchange, std::string base_url);

  std::stop_token stop_token() const { return stop_.get_token(); }
  void OnRefused(const absl::Status& status) override;
  bool OnEvent(const AssistEvent& event) override;

 private:
  void Respond(const DoneEvent& done);

  const std::shared_ptr<Exchange> exchange_;
  const std::string base_url_;
  std::stop_source stop_;
  StartEvent start_;
  ProductsEvent products_;
  std::optional<HandoffEvent> handoff_;
  std::string text_;
  std::vector<Citation> citations_;
};

}  // namespace emptor::services
