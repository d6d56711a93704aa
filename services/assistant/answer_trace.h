// The trace of an answer: one record of a turn from the state before it to the text, enough to run
// the turn again. Format: docs/formats/answer_trace.md.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace emptor::assistant::v1 {
class AnswerTrace;
}

namespace emptor::services {

inline constexpr uint32_t kTraceVersion = 1;
inline constexpr size_t kMaxTraceFileBytes = 8u << 20;

/// Immutable; copies share the message. Thread-safety: any thread.
class AnswerTrace {
 public:
  explicit AnswerTrace(assistant::v1::AnswerTrace message);

  /// Reads either form; any bytes are safe. Errors: kInvalidArgument (neither form),
  /// kFailedPrecondition (a newer version).
  static absl::StatusOr<AnswerTrace> Parse(std::string_view bytes);
  std::string ToBytes() const;
  /// Readable, one field a line. Members that have their default are left out.
  std::string ToJson() const;

  const assistant::v1::AnswerTrace& message() const { return *message_; }
  const std::string& id() const;               // of the answer
  const std::string& conversation_id() const;  // empty: it is not stored
  const std::string& text() const;             // as the shopper got it
  int64_t now_unix() const;                    // the clock of the answer
  const std::string& locale() const;           // of the request
  /// What was asked about the shop, as it was asked; empty: the message was about something else.
  std::string policy_question() const;

 private:
  std::shared_ptr<const assistant::v1::AnswerTrace> message_;
};

}  // namespace emptor::services
