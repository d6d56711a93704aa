// The two forms of a trace: protobuf, and its JSON.
#include "services/assistant/answer_trace.h"

#include <fmt/format.h>
#include <google/protobuf/util/json_util.h>

#include <utility>

#include "services/proto/answer_trace.pb.h"

namespace emptor::services {

AnswerTrace::AnswerTrace(assistant::v1::AnswerTrace message)
    : message_(std::make_shared<const assistant::v1::AnswerTrace>(std::move(message))) {}

absl::StatusOr<AnswerTrace> AnswerTrace::Parse(std::string_view bytes) {
  if (bytes.size() > kMaxTraceFileBytes) {
    return absl::InvalidArgumentError(fmt::format("trace: expected at most {} bytes, found {}",
                                                  kMaxTraceFileBytes, bytes.size()));
  }
  assistant::v1::AnswerTrace message;
  if (bytes.starts_with('{')) {
    google::protobuf::util::JsonParseOptions options;
    options.ignore_unknown_fields = true;
    const auto status = google::protobuf::util::JsonStringToMessage(
        {bytes.data(),
         static_cast<google::protobuf::stringpiece_internal::StringPiece::size_type>(bytes.size())},
        &message, options);
    if (!status.ok()) {
      return absl::InvalidArgumentError(
          "trace: not the JSON of a trace: " +
          std::string(status.message().data(), status.message().size()));
    }
  } else if (!message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) {
    return absl::InvalidArgumentError(
        "trace: expected JSON of `emptor ask --trace`, or its protobuf form");
  }
  if (message.version() == 0) {
    return absl::InvalidArgumentError("trace: has no version: it is not the trace of an answer");
  }
  if (message.version() > kTraceVersion) {
    return absl::FailedPreconditionError(
        fmt::format("trace: written in version {}, this build reads up to {}", message.version(),
                    kTraceVersion));
  }
  return AnswerTrace(std::move(message));
}

std::string AnswerTrace::ToBytes() const { return message_->SerializeAsString(); }

std::string AnswerTrace::ToJson() const {
  google::protobuf::util::JsonPrintOptions options;
  options.add_whitespace = true;
  options.preserve_proto_field_names = true;
  std::string json;
  // Fails only for text that is not UTF-8, which no request has.
  if (!google::protobuf::util::MessageToJsonString(*message_, &json, options).ok()) return {};
  return json;
}

const std::string& AnswerTrace::id() const { return message_->id(); }
const std::string& AnswerTrace::conversation_id() const { return message_->conversation_id(); }
const std::string& AnswerTrace::text() const { return message_->text(); }
int64_t AnswerTrace::now_unix() const { return message_->now_unix(); }
const std::string& AnswerTrace::locale() const { return message_->request().locale(); }

std::string AnswerTrace::policy_question() const {
  const assistant::v1::Reading& reading = message_->reading();
  if (!reading.asks_policy()) return "";
  return reading.policy_question().empty() ? message_->request().message()
                                           : reading.policy_question();
}

}  // namespace emptor::services
