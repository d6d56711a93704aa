// Listeners of an answer that write it to an HTTP client.
#include "services/api/assist_listeners.h"

#include <utility>
#include <variant>

#include "services/api/api_errors.h"
#include "services/api/reply_codec.h"

namespace emptor::services {
namespace {

int HttpStatusOf(const ErrorEvent& error) {
  if (error.code == "overloaded") return 429;
  if (error.code == "deadline_exceeded") return 504;
  return error.code == "unavailable" ? 503 : 500;
}

}  // namespace

StreamListener::StreamListener(std::shared_ptr<Exchange> exchange, AnswerFormat format)
    : StreamListener(std::move(exchange), std::move(format), nullptr, "") {}

StreamListener::StreamListener(std::shared_ptr<Exchange> exchange, AnswerFormat format,
                               std::shared_ptr<AnswerStreams> streams, std::string owner)
    : exchange_(std::move(exchange)),
      format_(std::move(format)),
      streams_(std::move(streams)),
      owner_(std::move(owner)) {}

void StreamListener::OnRefused(const absl::Status& status) {
  exchange_->Respond(MakeErrorResponse(status, exchange_->request().id));
}

bool StreamListener::Open() {
  StreamOptions options = std::move(format_.options);
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

bool StreamListener::OnEvent(const AssistEvent& event) {
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
  const bool is_open = stream_->Push(id, format_.write(id, event));
  if (is_last) stream_->Finish();
  return is_open;
}

AnswerCollector::AnswerCollector(std::shared_ptr<Exchange> exchange, OnEnd on_end,
                                 std::stop_source stop)
    : exchange_(std::move(exchange)), on_end_(std::move(on_end)), stop_(std::move(stop)) {
  exchange_->OnPeerGone([stop = stop_]() mutable { stop.request_stop(); });
}

void AnswerCollector::OnRefused(const absl::Status& status) {
  on_end_.failed(DescribeError(status));
}

bool AnswerCollector::OnEvent(const AssistEvent& event) {
  if (const auto* start = std::get_if<StartEvent>(&event)) answer_.start = *start;
  if (const auto* products = std::get_if<ProductsEvent>(&event)) answer_.products = *products;
  if (const auto* handoff = std::get_if<HandoffEvent>(&event)) answer_.handoff = *handoff;
  if (const auto* delta = std::get_if<DeltaEvent>(&event)) {
    answer_.text += delta->text;
    if (on_end_.written) return on_end_.written(delta->text);
  }
  if (const auto* citation = std::get_if<Citation>(&event)) answer_.citations.push_back(*citation);
  if (const auto* error = std::get_if<ErrorEvent>(&event)) {
    on_end_.failed({HttpStatusOf(*error), error->code, error->message});
  }
  if (const auto* done = std::get_if<DoneEvent>(&event)) {
    answer_.done = *done;
    exchange_->CountTokens(done->prompt_tokens + done->completion_tokens);
    on_end_.done(answer_);
  }
  return true;
}

std::string WholeAnswerJson(const WholeAnswer& answer, std::string_view base_url) {
  catalog::JsonWriter writer;
  writer.BeginObject();
  WriteStartMembers(answer.start, writer);
  writer.Key("products");
  WriteCards(answer.products.items, base_url, writer);
  if (answer.handoff) {
    writer.Key("handoff").BeginObject();
    WriteHandoffMembers(*answer.handoff, writer);
    writer.EndObject();
  }
  writer.Member("text", answer.text).Key("citations").BeginArray();
  for (const Citation& citation : answer.citations) WriteCitation(citation, writer);
  writer.EndArray();
  WriteDoneMembers(answer.done, writer);
  return writer.EndObject().Take();
}

std::shared_ptr<AnswerCollector> MakeJsonListener(const std::shared_ptr<Exchange>& exchange,
                                                  std::string base_url) {
  AnswerCollector::OnEnd on_end;
  on_end.done = [exchange, base_url = std::move(base_url)](const WholeAnswer& answer) {
    Response response;
    response.body = WholeAnswerJson(answer, base_url);
    response.headers.emplace_back("Cache-Control", "no-store");
    AddSecurityHeaders(response);
    exchange->Respond(std::move(response));
  };
  on_end.failed = [exchange](const ApiError& error) {
    exchange->Respond(MakeErrorResponse(error.http_status, error.code, error.message, error.param,
                                        exchange->request().id));
  };
  return std::make_shared<AnswerCollector>(exchange, std::move(on_end));
}

}  // namespace emptor::services
