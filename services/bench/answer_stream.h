// Reads the event stream of an OpenAI-compatible server and notes when what came.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "services/http/sse_reader.h"

namespace emptor::services {

/// Accepts pieces that are cut anywhere. Thread-safety: one thread.
class AnswerStream {
 public:
  AnswerStream();
  AnswerStream(const AnswerStream&) = delete;
  AnswerStream& operator=(const AnswerStream&) = delete;

  /// Bytes of the body that came at `now` (seconds of any clock).
  void Push(std::string_view bytes, double now);

  /// Times at which text came, one an event.
  const std::vector<double>& text_times() const { return text_times_; }
  int prompt_tokens() const { return prompt_tokens_; }          // -1: not reported
  int completion_tokens() const { return completion_tokens_; }  // -1: not reported
  int cached_tokens() const { return cached_tokens_; }
  const std::string& finish_reason() const { return finish_reason_; }
  /// A finish reason or [DONE] came: nothing is missing.
  bool complete() const { return done_ || !finish_reason_.empty(); }
  /// What was wrong with the stream: "malformed event", "error event"; empty: nothing.
  const std::string& failure() const { return failure_; }

 private:
  void TakeEvent(std::string_view data);

  SseReader reader_;
  double now_ = 0;
  std::vector<double> text_times_;
  int prompt_tokens_ = -1, completion_tokens_ = -1, cached_tokens_ = 0;
  std::string finish_reason_, failure_;
  bool done_ = false;
};

}  // namespace emptor::services
