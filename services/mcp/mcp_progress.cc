// Notifications, then the response, as server-sent events.
#include "services/mcp/mcp_progress.h"

#include <utility>

#include "services/mcp/mcp_reply.h"

namespace emptor::services {
namespace {

constexpr std::string_view kEventStream = "text/event-stream";

std::string EventOf(std::string_view json) {
  return std::string("event: message\ndata: ").append(json).append("\n\n");
}

}  // namespace

McpProgress::McpProgress(std::shared_ptr<Exchange> exchange, std::string token,
                         std::stop_source stop)
    : exchange_(std::move(exchange)), token_(std::move(token)), stop_(std::move(stop)) {}

std::unique_ptr<McpProgress> McpProgress::Of(std::shared_ptr<Exchange> exchange,
                                             const McpMessage& message, std::stop_source stop) {
  const catalog::JsonValue* meta = message.params.Find("_meta");
  const catalog::JsonValue* token = meta == nullptr ? nullptr : meta->Find("progressToken");
  const bool is_token =
      token != nullptr &&
      (token->is_int() || (token->is_string() && token->as_string().size() <= kMaxMcpIdBytes));
  const std::string_view accept = exchange->request().Header("accept");
  if (!is_token || accept.find(kEventStream) == std::string_view::npos) return nullptr;
  catalog::JsonWriter writer;
  writer.Value(*token);
  return std::unique_ptr<McpProgress>(
      new McpProgress(std::move(exchange), writer.Take(), std::move(stop)));
}

bool McpProgress::Write(std::string_view piece) {
  if (is_refused_) return false;
  if (sink_ == nullptr) {
    StreamOptions options;
    options.headers = {{"Cache-Control", "no-store"},
                       {"X-Accel-Buffering", "no"},
                       {"X-Content-Type-Options", "nosniff"}};
    options.on_end = [stop = stop_](StreamEnd end) mutable {
      if (end != StreamEnd::kFinished) stop.request_stop();
    };
    sink_ = exchange_->StartSse(std::move(options));
    is_refused_ = sink_ == nullptr;
    if (is_refused_) {
      stop_.request_stop();
      return false;
    }
  }
  written_ += static_cast<int64_t>(piece.size());
  catalog::JsonWriter writer;
  writer.BeginObject().Member("jsonrpc", "2.0").Member("method", "notifications/progress");
  writer.Key("params").BeginObject().Key("progressToken").Raw(token_);
  writer.Member("progress", written_).Member("message", piece).EndObject().EndObject();
  return sink_->Push(EventOf(writer.Take()));
}

void McpProgress::Finish(Response answer) {
  if (is_refused_) return;
  if (sink_ == nullptr) return exchange_->Respond(std::move(answer));
  sink_->Push(EventOf(answer.body));
  sink_->Finish();
}

}  // namespace emptor::services
