// Events of the OpenAI API, of which only what decides is read.
#include "services/gateway/replica_answer.h"

#include <algorithm>

#include "catalog/encoding/json.h"

namespace emptor::services {
namespace {

using catalog::JsonValue;

constexpr size_t kMaxAnswer = 64u << 20;
constexpr size_t kMaxChoices = 4096, kMaxModels = 1024, kMaxName = 256;

bool IsText(const JsonValue* value) {
  return value != nullptr && value->is_string() && !value->as_string().empty();
}

/// The choice says something: text, reasoning, a call of a tool.
bool HasText(const JsonValue& choice) {
  if (IsText(choice.Find("text"))) return true;
  const JsonValue* delta = choice.Find("delta");
  if (delta == nullptr || !delta->is_object()) return false;
  for (const catalog::JsonMember& member : delta->as_object()) {
    const bool is_list = member.value.is_array() && !member.value.as_array().empty();
    if (member.name != "role" && (IsText(&member.value) || is_list)) return true;
  }
  return false;
}

int CountOf(const JsonValue& usage, std::string_view name) {
  const JsonValue* value = usage.Find(name);
  if (value == nullptr || !value->is_int()) return 0;
  return static_cast<int>(std::clamp<int64_t>(value->as_int(), 0, 1 << 30));
}

void ReadUsage(const JsonValue& object, ReportedUsage& usage) {
  const JsonValue* given = object.Find("usage");
  if (given == nullptr || !given->is_object()) return;
  usage.prompt_tokens = CountOf(*given, "prompt_tokens");
  usage.completion_tokens = CountOf(*given, "completion_tokens");
}

/// An error in it is put into `error`.
absl::StatusOr<JsonValue> ParseObject(std::string_view text, std::string_view key,
                                      std::optional<ReplicaError>& error) {
  error.reset();
  auto json =
      catalog::ParseJson(text, {.max_bytes = kMaxAnswer, .max_depth = 64, .max_nodes = 4000000});
  if (!json.ok()) return absl::DataLossError("no JSON: " + std::string(json.status().message()));
  if (!json->is_object()) return absl::DataLossError("no JSON object");
  error = FindReplicaError(*json, key);
  if (error) return absl::DataLossError("an error in the answer: " + error->message);
  return json;
}

/// Of an event, with a field for each line of its data.
size_t PassedSize(std::string_view data) {
  const auto lines = 1 + std::count(data.begin(), data.end(), '\n');
  return data.size() + 6 * static_cast<size_t>(lines) + 2;
}

}  // namespace

absl::StatusOr<ReportedUsage> CheckWholeAnswer(std::string_view body,
                                               std::optional<ReplicaError>& error,
                                               std::string_view key) {
  const auto json = ParseObject(body, key, error);
  if (!json.ok()) return json.status();
  const JsonValue* choices = json->Find("choices");
  if (choices == nullptr || !choices->is_array() || choices->as_array().empty()) {
    return absl::DataLossError("no choices");
  }
  for (const JsonValue& choice : choices->as_array()) {
    if (!IsText(choice.Find("finish_reason"))) return absl::DataLossError("no finish_reason");
  }
  ReportedUsage usage;
  ReadUsage(*json, usage);
  return usage;
}

absl::StatusOr<std::vector<std::string>> ReadModelNames(std::string_view body,
                                                        std::string_view key) {
  std::optional<ReplicaError> error;
  const auto json = ParseObject(body, key, error);
  if (!json.ok()) return json.status();
  const JsonValue* data = json->Find("data");
  if (data == nullptr || !data->is_array()) {
    return absl::DataLossError("data: expected a list of models");
  }
  std::vector<std::string> names;
  for (const JsonValue& each : data->as_array()) {
    const JsonValue* id = each.Find("id");
    if (IsText(id) && id->as_string().size() <= kMaxName && names.size() < kMaxModels) {
      names.push_back(id->as_string());
    }
  }
  return names;
}

ReplicaStream::ReplicaStream(ReplicaStreamLimits limits, OnEvents on_events, std::string key)
    : limits_(limits),
      on_events_(std::move(on_events)),
      key_(std::move(key)),
      reader_([this](std::string_view, std::string_view data) { TakeEvent(data); },
              limits.max_event) {}

void ReplicaStream::Fail(absl::Status what) {
  if (failure_.ok()) failure_ = std::move(what);
}

bool ReplicaStream::Push(std::string_view bytes) {
  if (done_ || stopped_ || !failure_.ok()) return false;
  reader_.Push(bytes);
  if (reader_.overflowed()) FailAsTooLong();
  return !done_ && !stopped_ && failure_.ok();
}

void ReplicaStream::FailAsTooLong() {
  Fail(absl::OutOfRangeError("an event is longer than " + std::to_string(limits_.max_event) +
                             " bytes"));
}

void ReplicaStream::Flush() {
  if (held_.empty()) return;
  const std::string events = std::move(held_);
  held_.clear();
  if (!on_events_(events)) stopped_ = true;
}

void ReplicaStream::Pass(std::string_view data) {
  for (size_t at = 0; at <= data.size();) {
    const size_t end = std::min(data.find('\n', at), data.size());
    held_.append("data: ").append(data.substr(at, end - at)).append("\n");
    at = end + 1;
  }
  held_ += '\n';
}

bool ReplicaStream::AllFinished() const {
  return !seen_.empty() && std::find(seen_.begin(), seen_.end(), true) != seen_.end() &&
         seen_ == finished_;
}

void ReplicaStream::TakeDone() {
  if (!AllFinished()) return Fail(absl::DataLossError("an end without a finish_reason"));
  begun_ = true;
  Pass("[DONE]");
  Flush();
  done_ = true;
}

void ReplicaStream::TakeEvent(std::string_view data) {
  if (done_ || stopped_ || !failure_.ok()) return;
  if (data == "[DONE]") return TakeDone();
  if (PassedSize(data) > limits_.max_event) return FailAsTooLong();
  const auto json = ParseObject(data, key_, error_);
  if (!json.ok()) return Fail(json.status());
  ReadUsage(*json, usage_);
  const JsonValue* choices = json->Find("choices");
  bool has_text = false;
  if (choices != nullptr && choices->is_array()) {
    for (const JsonValue& choice : choices->as_array()) {
      const JsonValue* index = choice.Find("index");
      const int64_t place = index != nullptr && index->is_int() ? index->as_int() : 0;
      if (place < 0 || place >= static_cast<int64_t>(kMaxChoices))
        return Fail(absl::DataLossError("a wrong index"));
      const auto i = static_cast<size_t>(place);
      if (i >= seen_.size()) {
        seen_.resize(i + 1);
        finished_.resize(i + 1);
      }
      const bool says = HasText(choice);
      if (says && finished_[i]) return Fail(absl::DataLossError("text after a finish_reason"));
      seen_[i] = true;
      has_text = has_text || says;
      if (IsText(choice.Find("finish_reason"))) finished_[i] = true;
    }
  }
  Pass(data);
  if (has_text) ++pieces_;
  // An answer may be empty: its end is its first event that counts.
  begun_ = begun_ || has_text || AllFinished() || held_.size() > limits_.max_held;
  if (begun_) Flush();
}

absl::Status ReplicaStream::Finish() {
  if (!failure_.ok()) return failure_;
  if (done_ || stopped_) return absl::OkStatus();
  if (!AllFinished()) return absl::UnavailableError("the stream ended before the answer did");
  TakeDone();
  return absl::OkStatus();
}

}  // namespace emptor::services
