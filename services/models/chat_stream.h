// Reads what a chat endpoint answers: server-sent events, or one JSON text.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "services/http/sse_reader.h"
#include "services/models/chat_codec.h"

namespace emptor::catalog {
class JsonValue;
}

namespace emptor::services {

struct ChatStreamLimits {
  size_t max_bytes = 1u << 20;  // of the whole answer
  size_t max_event = 1u << 18;  // of one event
  size_t max_text = 1u << 14;   // of the text: a server that ignores max_tokens is cut here
};

/// Passes on the text that the model means for the reader: reasoning, in fields of its own or
/// between <think> and </think> at the beginning, is skipped. The text is the same however the
/// bytes were cut. The first thing that is wrong ends it: see failure(). Thread-safety: one thread.
class ChatStream {
 public:
  using OnText = std::function<void(std::string_view text)>;  // whole UTF-8 characters, not empty

  ChatStream(ChatApi api, ChatStreamLimits limits, OnText on_text);
  ChatStream(const ChatStream&) = delete;
  ChatStream& operator=(const ChatStream&) = delete;

  void Push(std::string_view bytes);
  /// The end of the bytes. An answer that is not complete by then has failed.
  void Finish();

  /// Nothing more is read: the last event has come, or the answer has failed.
  bool done() const { return done_ || !failure_.empty(); }
  /// What is wrong, for a log; empty: nothing.
  const std::string& failure() const { return failure_; }
  /// How the model ended: "stop" or "length"; empty: it has not.
  const std::string& finish_reason() const { return finish_reason_; }
  int prompt_tokens() const { return prompt_tokens_; }          // 0: not reported
  int completion_tokens() const { return completion_tokens_; }  // 0: not reported
  int pieces() const { return pieces_; }                        // of text

 private:
  enum class Form { kUnknown, kEvents, kJson };
  enum class Part { kBeginning, kThoughts, kText };

  void FinishWhole();
  void TakeEvent(std::string_view name, std::string_view data);
  void TakeOpenAi(const catalog::JsonValue& chunk);
  void TakeAnthropic(const catalog::JsonValue& event);
  void TakeJson();
  void TakeUsage(const catalog::JsonValue& object);
  void TakeText(std::string_view text);
  void Deliver(std::string_view text);
  void EndBy(std::string_view reason);
  void Fail(std::string why);

  const ChatApi api_;
  const ChatStreamLimits limits_;
  const OnText on_text_;
  SseReader reader_;
  Form form_ = Form::kUnknown;
  Part part_ = Part::kBeginning;
  std::string json_;  // the whole answer, when it is no event stream
  std::string held_;  // text of which it is not known yet whether it is reasoning
  size_t bytes_ = 0, text_bytes_ = 0;
  bool done_ = false;
  std::string failure_, finish_reason_;
  int prompt_tokens_ = 0, completion_tokens_ = 0, pieces_ = 0;
};

}  // namespace emptor::services
