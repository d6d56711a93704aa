// Listeners of an answer that write it to an HTTP client: as a stream of events, or as one JSON.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "services/api/answer_format.h"
#include "services/api/answer_streams.h"
#include "services/api/api_errors.h"
#include "services/assistant/events/assist_events.h"
#include "services/http/exchange.h"

namespace emptor::services {

/// Writes the events to a stream; a client that leaves stops the answer.
/// Thread-safety: that of AssistListener; a stream may end on any thread.
class StreamListener final : public AssistListener {
 public:
  StreamListener(std::shared_ptr<Exchange> exchange, AnswerFormat format);
  /// The answer goes on when the client leaves, and can be taken up from `streams` by the owner.
  StreamListener(std::shared_ptr<Exchange> exchange, AnswerFormat format,
                 std::shared_ptr<AnswerStreams> streams, std::string owner);

  std::stop_token stop_token() const { return stop_.get_token(); }
  void OnRefused(const absl::Status& status) override;
  bool OnEvent(const AssistEvent& event) override;

 private:
  bool Open();

  const std::shared_ptr<Exchange> exchange_;
  AnswerFormat format_;
  std::stop_source stop_;
  const std::shared_ptr<AnswerStreams> streams_;  // null: it cannot be taken up
  const std::string owner_;
  std::shared_ptr<AnswerStream> stream_;
  int64_t next_id_ = 1;
};

/// An answer in one piece.
struct WholeAnswer {
  StartEvent start;
  ProductsEvent products;
  std::optional<HandoffEvent> handoff;
  std::string text;
  std::vector<Citation> citations;
  DoneEvent done;
};
/// {"id","conversation_id",...,"products","handoff"?,"text","citations",...}: docs/conversations.md
/// and /openapi.json, AssistReply.
std::string WholeAnswerJson(const WholeAnswer& answer, std::string_view base_url);

/// Collects the events and reports once, at the end; a client that leaves stops the answer.
/// Thread-safety: that of AssistListener.
class AnswerCollector final : public AssistListener {
 public:
  /// One of `done` and `failed` is called once, and answers the exchange. An error is what a client
  /// may see.
  struct OnEnd {
    std::function<void(const WholeAnswer&)> done;
    std::function<void(const ApiError&)> failed;
    /// Each piece of the text as it comes; false: the client is gone. May be empty.
    std::function<bool(const std::string& piece)> written = {};
  };
  AnswerCollector(std::shared_ptr<Exchange> exchange, OnEnd on_end, std::stop_source stop = {});

  std::stop_token stop_token() const { return stop_.get_token(); }
  void OnRefused(const absl::Status& status) override;
  bool OnEvent(const AssistEvent& event) override;

 private:
  const std::shared_ptr<Exchange> exchange_;
  const OnEnd on_end_;
  std::stop_source stop_;
  WholeAnswer answer_;
};

/// Answers the exchange with the whole answer, or its error, as POST /v1/assist does.
std::shared_ptr<AnswerCollector> MakeJsonListener(const std::shared_ptr<Exchange>& exchange,
                                                  std::string base_url);

}  // namespace emptor::services
