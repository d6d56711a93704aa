// The exchange over a socket: writes one answer, on whatever thread, and reports when it is out.
#include "services/http/socket_exchange.h"

#include <algorithm>
#include <string>
#include <utility>

#include "services/http/response_head.h"
#include "services/http/syntax.h"

namespace emptor::services {
namespace {

/// Ends the sending half where the connection is not used again, then tells it.
void EndAnswer(const Socket& socket, AnswerTicket& ticket, bool complete, bool keep_alive) {
  if (complete && (!keep_alive || ticket.peer_closed())) socket.ShutdownWrite();
  ticket.Complete(complete && keep_alive);
}

bool HasNoBody(int status) { return status == 204 || status == 304; }

Response StreamLimitReached(const Request& request) {
  Response busy = MakeErrorResponse(503, "busy", "no more streams are taken now", request.id);
  busy.headers.emplace_back("Retry-After", "1");
  return busy;
}

}  // namespace

void AnswerTicket::MarkPeerClosed() {
  peer_closed_.store(true, std::memory_order_release);
  std::function<void()> gone;
  {
    const std::lock_guard lock(mutex_);
    gone = std::exchange(on_peer_closed_, nullptr);
  }
  if (gone) gone();
}

void AnswerTicket::OnPeerClosed(std::function<void()> gone) {
  {
    const std::lock_guard lock(mutex_);
    if (called_) return;
    if (!peer_closed()) {
      on_peer_closed_ = std::move(gone);
      return;
    }
  }
  gone();
}

void AnswerTicket::Complete(bool reusable) {
  std::function<void()> not_needed;
  {
    const std::lock_guard lock(mutex_);
    if (called_.exchange(true)) return;
    not_needed = std::exchange(on_peer_closed_, nullptr);
  }
  reusable_.store(reusable, std::memory_order_release);
  if (phase_.exchange(kComplete) == kWaiting) notify_();
  context_->in_flight.Remove(this);
}

bool AnswerTicket::IsCompleteOrWait() {
  Phase expected = kRunning;
  return !phase_.compare_exchange_strong(expected, kWaiting);
}

SocketExchange::SocketExchange(std::shared_ptr<ServerContext> context, GuardedRequest guarded,
                               std::shared_ptr<Socket> socket, std::shared_ptr<AnswerTicket> ticket)
    : context_(std::move(context)),
      guarded_(std::move(guarded)),
      socket_(std::move(socket)),
      ticket_(std::move(ticket)) {}

SocketExchange::~SocketExchange() {
  if (answered_.exchange(true)) return;
  Write(MakeErrorResponse(500, "internal", "the request was not answered", request().id));
}

bool SocketExchange::CutOff() {
  if (answered_.exchange(true)) return false;
  ticket_->MarkPeerClosed();
  Response response = MakeErrorResponse(
      503, "unavailable", "the service is restarting, please try again", request().id);
  response.headers.emplace_back("Retry-After", "1");
  Write(response);
  return true;
}

bool SocketExchange::KeepsAlive() const {
  return guarded_.keep_alive && !context_->draining.load(std::memory_order_relaxed);
}

void SocketExchange::Respond(Response response) {
  if (answered_.exchange(true)) return;
  Write(response);
}

void SocketExchange::Write(const Response& response) {
  const bool valid = response.status >= 200 && response.status <= 599;
  const bool keep_alive = KeepsAlive();
  const BodyFraming framing =
      HasNoBody(response.status) ? BodyFraming::kNone : BodyFraming::kLength;
  std::string bytes = FormatHead({.status = valid ? response.status : 500,
                                  .content_type = response.content_type,
                                  .request_id = request().id,
                                  .framing = framing,
                                  .content_length = response.body.size(),
                                  .keep_alive = keep_alive,
                                  .http11 = guarded_.http11},
                                 response.headers);
  if (framing == BodyFraming::kLength && request().method != "HEAD") bytes += response.body;
  WriteBytes(std::move(bytes), keep_alive);
}

void SocketExchange::WriteBytes(std::string bytes, bool keep_alive) {
  const Socket::SendResult result = socket_->Send(bytes);
  if (result.status == Socket::SendStatus::kAll)
    return EndAnswer(*socket_, *ticket_, true, keep_alive);
  if (result.status == Socket::SendStatus::kSome) {
    const bool taken =
        context_->hub->WriteRest(socket_, bytes.substr(result.sent),
                                 [socket = socket_, ticket = ticket_, keep_alive](bool complete) {
                                   EndAnswer(*socket, *ticket, complete, keep_alive);
                                 });
    if (taken) return;
  }
  socket_->ShutdownBoth();
  ticket_->Complete(false);
}

std::string SocketExchange::StreamHead(const StreamOptions& options, bool keep_alive) const {
  auto headers = options.headers;
  const bool has_policy = std::any_of(headers.begin(), headers.end(), [](const auto& header) {
    return AsciiLowerCase(header.first) == "cache-control";
  });
  if (!has_policy) headers.emplace_back("Cache-Control", "no-store");
  headers.emplace_back("X-Accel-Buffering", "no");  // or nginx would hold the events back
  return FormatHead({.status = 200,
                     .content_type = options.content_type,
                     .request_id = request().id,
                     .framing = guarded_.http11 ? BodyFraming::kChunked : BodyFraming::kClose,
                     .keep_alive = keep_alive,
                     .http11 = guarded_.http11},
                    headers);
}

std::shared_ptr<StreamSink> SocketExchange::StartSse(StreamOptions options) {
  if (answered_.exchange(true)) return nullptr;
  if (request().method == "HEAD") {
    const bool keep_alive = KeepsAlive();
    WriteBytes(StreamHead(options, keep_alive), keep_alive);
    return nullptr;
  }
  if (ticket_->peer_closed()) {
    socket_->ShutdownBoth();
    ticket_->Complete(false);
    return nullptr;
  }
  auto sink = Open(std::move(options));
  if (sink == nullptr) Write(StreamLimitReached(request()));
  return sink;
}

std::shared_ptr<StreamSink> SocketExchange::Open(StreamOptions options) {
  // Without chunks only the end of the connection tells where the stream ends.
  const bool keep_alive = KeepsAlive() && guarded_.http11;
  StreamHub::Stream stream;
  stream.socket = socket_;
  stream.head = StreamHead(options, keep_alive);
  stream.chunked = guarded_.http11;
  stream.options = std::move(options);
  stream.on_release = [socket = socket_, ticket = ticket_, keep_alive](bool complete) {
    EndAnswer(*socket, *ticket, complete, keep_alive);
  };
  return context_->hub->Open(std::move(stream));
}

}  // namespace emptor::services
