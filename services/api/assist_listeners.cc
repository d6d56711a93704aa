// Listeners of an answer that write it to an HTTP client.
#include "services/api/assist_listeners.h"

#include <utility>
#include <variant>

#include "services/api/api_errors.h"
#include "services/api/reply_codec.h"

namespace emptor::services {
namespace {

/// Above every id of an answer, so that ids keep increasing.
constexpr int64_t kLastWordsId = 1000000;

int HttpStatusOf(const ErrorEvent& error) {
  if (error.code == "overloaded") return 429;
  if (error.code == "deadline_exceeded") return 504;
  return error.code == "unavailable" ? 503 : 500;
}

}  // namespace

SseListener::SseListener(std::shared_ptr<Exchange> exchange, std::string base_url)
    : SseListener(std::move(exchange), std::move(base_url), nullptr, "") {}

SseListener::SseListener(std::shared_ptr<Exchange> exchange, std::string base_url,
                         std::shared_ptr<AnswerStreams> streams, std::string owner)
    : exchange_(std::move(exchange)),
      base_url_(std::move(base_url)),
      streams_(std::move(streams)),
      owner_(std::move(owner)) {}

void SseListener::OnRefused(const absl::Status& status) {
  exchange_->Respond(MakeErrorResponse(status, exchange_->request().id));
}

StreamOptions AnswerStreamOptions(const std::string& base_url, const std::string& request_id) {
  StreamOptions options;
  options.headers = {{"Cache-Control", "no-store"},
                     {"X-Accel-Buffering", "no"},
                     {"X-Content-Type-Options", "nosniff"}};
  const ErrorEvent shutdown{"unavailable", "the service is restarting, please try again", true};
  options.last_words = FormatSse(kLastWordsId, "error", EventJson(shutdown, base_url, request_id));
  return options;
}

bool SseListener::Open() {
  StreamOptions options = AnswerStreamOptions(base_url_, exchange_->request().id);
  if (streams_ == nullptr) {
    options.on_end = [stop = stop_](StreamEnd end) mutable {
      if (end != StreamEnd::kFinished) stop.request_stop();
    };
  }
  auto sink = exchange_->StartSse(std::move(options));
  if (sink == nullptr) return false;
  stream_ = std::make_shared<AnswerStream>(owner_, stop_, /*keeps_events=*/streams_ != nullptr);
  return stream_->Attach(std::move(sink), 0);
}

bool SseListener::OnEvent(const AssistEvent& event) {
  if (stream_ == nullptr && !Open()) {
    stop_.request_stop();
    return false;
  }
  const auto* start = std::get_if<StartEvent>(&event);
  if (start != nullptr && streams_ != nullptr) streams_->Add(start->id, stream_);
  const bool is_last =
      std::holds_alternative<DoneEvent>(event) || std::holds_alternative<ErrorEvent>(event);
  if (const auto* done = std::get_if<DoneEvent>(&event)) {
    exchange_->CountTokens(done->prompt_tokens + done->completion_tokens);
  }
  const int64_t id = next_id_++;
  const bool is_open = stream_->Push(
      id, FormatSse(id, EventName(event), EventJson(event, base_url_, exchange_->request().id)));
  if (is_last) stream_->Finish();
  return is_open;
}

JsonListener::JsonListener(std::shared_ptr<Exchange> exchange, std::string base_url)
    : exchange_(std::move(exchange)), base_url_(std::move(base_url)) {
  exchange_->OnPeerGone([stop = stop_]() mutable { stop.request_stop(); });
}

void JsonListener::OnRefused(const absl::Status& status) {
  exchange_->Respond(MakeErrorResponse(status, exchange_->request().id));
}

bool JsonListener::OnEvent(const AssistEvent& event) {
  if (const auto* start = std::get_if<StartEvent>(&event)) start_ = *start;
  if (const auto* products = std::get_if<ProductsEvent>(&event)) products_ = *products;
  if (const auto* handoff = std::get_if<HandoffEvent>(&event)) handoff_ = *handoff;
  if (const auto* delta = std::get_if<DeltaEvent>(&event)) text_ += delta->text;
  if (const auto* citation = std::get_if<Citation>(&event)) citations_.push_back(*citation);
  if (const auto* error = std::get_if<ErrorEvent>(&event)) {
    exchange_->Respond(MakeErrorResponse(HttpStatusOf(*error), error->code, error->message, "",
                                         exchange_->request().id));
  }
  if (const auto* done = std::get_if<DoneEvent>(&event)) Respond(*done);
  return true;
}

void JsonListener::Respond(const DoneEvent& done) {
  exchange_->CountTokens(done.prompt_tokens + done.completion_tokens);
  catalog::JsonWriter writer;
  writer.BeginObject();
  WriteStartMembers(start_, writer);
  writer.Key("products").BeginArray();
  for (const ProductCard& card : products_.items) WriteCard(card, base_url_, writer);
  writer.EndArray();
  if (handoff_) {
    writer.Key("handoff").BeginObject();
    WriteHandoffMembers(*handoff_, writer);
    writer.EndObject();
  }
  writer.Member("text", text_).Key("citations").BeginArray();
  for (const Citation& citation : citations_) WriteCitation(citation, writer);
  writer.EndArray();
  WriteDoneMembers(done, writer);
  writer.EndObject();
  Response response;
  response.body = writer.Take();
  response.headers.emplace_back("Cache-Control", "no-store");
  AddSecurityHeaders(response);
  exchange_->Respond(std::move(response));
}

}  // namespace emptor::services
