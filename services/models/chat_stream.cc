// Chunks of /v1/chat/completions and events of /v1/messages.
#include "services/models/chat_stream.h"

#include <algorithm>
#include <utility>

#include "catalog/encoding/json.h"

namespace emptor::services {
namespace {

using catalog::JsonValue;

constexpr std::string_view kBlanks = " \t\r\n";
constexpr std::string_view kThink = "<think>", kEndThink = "</think>";

const JsonValue* First(const JsonValue& object, std::string_view name) {
  const JsonValue* list = object.Find(name);
  return list != nullptr && list->is_array() && !list->as_array().empty() ? &list->as_array()[0]
                                                                          : nullptr;
}

std::string_view TextOf(const JsonValue* object, std::string_view name) {
  const JsonValue* value = object == nullptr ? nullptr : object->Find(name);
  return value != nullptr && value->is_string() ? std::string_view(value->as_string())
                                                : std::string_view();
}

void ReadCount(const JsonValue& usage, std::string_view name, int& count) {
  const JsonValue* value = usage.Find(name);
  if (value == nullptr || !value->is_int()) return;
  count = static_cast<int>(std::clamp<int64_t>(value->as_int(), 0, 1'000'000'000));
}

std::string_view WithoutBlanksInFront(std::string_view text) {
  const size_t begin = text.find_first_not_of(kBlanks);
  return begin == text.npos ? std::string_view() : text.substr(begin);
}

}  // namespace

ChatStream::ChatStream(ChatApi api, ChatStreamLimits limits, OnText on_text)
    : api_(api),
      limits_(limits),
      on_text_(std::move(on_text)),
      reader_([this](std::string_view name, std::string_view data) { TakeEvent(name, data); },
              limits.max_event) {}

void ChatStream::Push(std::string_view bytes) {
  if (done()) return;
  bytes_ += bytes.size();
  if (bytes_ > limits_.max_bytes) return Fail("an answer of too many bytes");
  if (form_ == Form::kUnknown) {
    bytes = WithoutBlanksInFront(bytes);
    if (bytes.empty()) return;
    if (bytes[0] == '<') return Fail("expected an event stream, found a page");
    form_ = bytes[0] == '{' ? Form::kJson : Form::kEvents;
  }
  if (form_ == Form::kJson) {
    json_ += bytes;
    return;
  }
  reader_.Push(bytes);
  if (reader_.overflowed() && !done()) Fail("an event of too many bytes");
}

void ChatStream::Finish() {
  if (done()) return;
  if (form_ == Form::kJson) TakeJson();
  if (!done() && finish_reason_.empty()) Fail("the answer ends before its last event");
  if (!failure_.empty()) return;
  // What looked like the beginning of reasoning was text.
  if (part_ == Part::kBeginning) Deliver(std::exchange(held_, {}));
  done_ = true;
}

/// The last event has come; not every server says how the model ended.
void ChatStream::FinishWhole() {
  if (finish_reason_.empty()) finish_reason_ = "stop";
  Finish();
}

void ChatStream::TakeEvent(std::string_view name, std::string_view data) {
  if (done()) return;
  if (data == "[DONE]") return FinishWhole();
  const auto json = catalog::ParseJson(data);
  if (!json.ok() || !json->is_object()) return Fail("an event that is no JSON object");
  const JsonValue* error = json->Find("error");
  if (name == "error" || (error != nullptr && !error->is_null())) {
    const std::string why = ReadChatError(data);
    return Fail(why.empty() ? "the server reports an error" : "the server reports: " + why);
  }
  if (api_ == ChatApi::kOpenAi) return TakeOpenAi(*json);
  TakeAnthropic(*json);
}

void ChatStream::TakeOpenAi(const JsonValue& chunk) {
  TakeUsage(chunk);
  const JsonValue* choice = First(chunk, "choices");
  if (choice == nullptr) return;
  TakeText(TextOf(choice->Find("delta"), "content"));
  EndBy(TextOf(choice, "finish_reason"));
}

void ChatStream::TakeAnthropic(const JsonValue& event) {
  const std::string_view type = TextOf(&event, "type");
  const JsonValue* delta = event.Find("delta");
  if (const JsonValue* message = event.Find("message")) TakeUsage(*message);
  TakeUsage(event);
  if (type == "content_block_delta" && TextOf(delta, "type") == "text_delta") {
    TakeText(TextOf(delta, "text"));
  } else if (type == "message_delta") {
    EndBy(TextOf(delta, "stop_reason"));
  } else if (type == "message_stop") {
    FinishWhole();
  }
}

/// A server that does not stream, or an error with the status 200.
void ChatStream::TakeJson() {
  const auto json = catalog::ParseJson(json_, {.max_bytes = limits_.max_bytes});
  if (!json.ok()) return Fail("an answer that is no valid JSON");
  const JsonValue* error = json->Find("error");
  const std::string why = ReadChatError(json_);
  if (error != nullptr && !error->is_null()) return Fail("the server reports: " + why);
  TakeUsage(*json);
  if (api_ == ChatApi::kOpenAi) {
    const JsonValue* choice = First(*json, "choices");
    if (choice == nullptr) return Fail("an answer without choices");
    TakeText(TextOf(choice->Find("message"), "content"));
    EndBy(TextOf(choice, "finish_reason"));
    return;
  }
  const JsonValue* content = json->Find("content");
  if (content == nullptr || !content->is_array()) return Fail("an answer without content");
  for (const JsonValue& block : content->as_array()) {
    if (TextOf(&block, "type") == "text") TakeText(TextOf(&block, "text"));
  }
  EndBy(TextOf(&*json, "stop_reason"));
}

void ChatStream::TakeUsage(const JsonValue& object) {
  const JsonValue* usage = object.Find("usage");
  if (usage == nullptr) return;
  ReadCount(*usage, api_ == ChatApi::kOpenAi ? "prompt_tokens" : "input_tokens", prompt_tokens_);
  ReadCount(*usage, api_ == ChatApi::kOpenAi ? "completion_tokens" : "output_tokens",
            completion_tokens_);
}

void ChatStream::TakeText(std::string_view text) {
  if (text.empty() || done()) return;
  if (part_ == Part::kText) return Deliver(text);
  held_ += text;
  if (part_ == Part::kBeginning) {
    const std::string_view begun = WithoutBlanksInFront(held_);
    if (begun.size() < kThink.size() && kThink.starts_with(begun)) return;
    part_ = begun.starts_with(kThink) ? Part::kThoughts : Part::kText;
    if (part_ == Part::kText) return Deliver(std::exchange(held_, {}));
  }
  const size_t end = held_.find(kEndThink);
  if (end == std::string::npos) {
    const size_t kept = std::min(held_.size(), kEndThink.size() - 1);
    held_.erase(0, held_.size() - kept);  // the end may have begun
    return;
  }
  const std::string rest = held_.substr(end + kEndThink.size());
  held_.clear();
  part_ = Part::kText;
  Deliver(rest);
}

void ChatStream::Deliver(std::string_view text) {
  if (text_bytes_ == 0) text = WithoutBlanksInFront(text);
  if (text.empty()) return;
  if (text_bytes_ + text.size() > limits_.max_text) {
    finish_reason_ = "length";
    done_ = true;
    return;
  }
  text_bytes_ += text.size();
  ++pieces_;
  on_text_(text);
}

void ChatStream::EndBy(std::string_view reason) {
  if (reason.empty() || done()) return;
  finish_reason_ = reason == "length" || reason == "max_tokens" ? "length" : "stop";
}

void ChatStream::Fail(std::string why) {
  if (failure_.empty()) failure_ = std::move(why);
}

}  // namespace emptor::services
