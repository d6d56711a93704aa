// Chunks of /v1/completions and /v1/chat/completions.
#include "services/bench/answer_stream.h"

#include "catalog/encoding/json.h"

namespace emptor::services {
namespace {

using catalog::JsonValue;

/// Of a chunk's first choice: text of a completion, content of a chat's delta; null without.
const std::string* ChoiceText(const JsonValue& choice) {
  const JsonValue* text = choice.Find("text");
  const JsonValue* delta = choice.Find("delta");
  if (text == nullptr && delta != nullptr) {
    text = delta->Find("content");
    if (text == nullptr || !text->is_string()) text = delta->Find("reasoning_content");
  }
  return text != nullptr && text->is_string() ? &text->as_string() : nullptr;
}

int Count(const JsonValue& usage, std::string_view name, int otherwise) {
  const JsonValue* value = usage.Find(name);
  if (value == nullptr || !value->is_int()) return otherwise;
  const int64_t count = value->as_int();
  return count >= 0 && count <= 1'000'000'000 ? static_cast<int>(count) : otherwise;
}

}  // namespace

AnswerStream::AnswerStream()
    : reader_([this](std::string_view, std::string_view data) { TakeEvent(data); }) {}

void AnswerStream::Push(std::string_view bytes, double now) {
  now_ = now;
  reader_.Push(bytes);
}

void AnswerStream::TakeEvent(std::string_view data) {
  if (data == "[DONE]") {
    done_ = true;
    return;
  }
  const auto chunk = catalog::ParseJson(data);
  if (!chunk.ok() || !chunk->is_object()) {
    if (failure_.empty()) failure_ = "malformed event";
    return;
  }
  const JsonValue* error = chunk->Find("error");
  if (error != nullptr && !error->is_null()) {
    if (failure_.empty()) failure_ = "error event";
    return;
  }
  const JsonValue* usage = chunk->Find("usage");
  if (usage != nullptr && usage->is_object()) {
    prompt_tokens_ = Count(*usage, "prompt_tokens", prompt_tokens_);
    completion_tokens_ = Count(*usage, "completion_tokens", completion_tokens_);
    const JsonValue* details = usage->Find("prompt_tokens_details");
    if (details != nullptr) cached_tokens_ = Count(*details, "cached_tokens", cached_tokens_);
  }
  const JsonValue* choices = chunk->Find("choices");
  if (choices == nullptr || !choices->is_array() || choices->as_array().empty()) return;
  const JsonValue& choice = choices->as_array()[0];
  const std::string* text = ChoiceText(choice);
  if (text != nullptr && !text->empty()) text_times_.push_back(now_);
  const JsonValue* reason = choice.Find("finish_reason");
  if (reason != nullptr && reason->is_string()) finish_reason_ = reason->as_string();
}

}  // namespace emptor::services
