// The exchange over a socket.
#include "services/http/socket_exchange.h"

#include <algorithm>
#include <string>
#include <utility>

#include "services/http/response_head.h"
#include "services/http/syntax.h"

namespace emptor::services {
namespace {

/// Ends a response, even if its exchange no longer exists.
struct AnswerEnd {
  std::shared_ptr<Socket> socket;
  std::shared_ptr<AnswerTicket> ticket;
  std::shared_ptr<AccessEntry> access;  // null: no access log
  bool keep_alive = false;
  uint64_t sent_before = 0;  // bytes that did not go through the hub

  /// Shuts the sending half where the connection is not used again, then completes the ticket.
  void operator()(const StreamRelease& release) const {
    if (release.complete && (!keep_alive || ticket->peer_closed())) socket->ShutdownWrite();
    if (access) access->Report(sent_before + release.sent_bytes, release.end);
    ticket->Complete(release.complete && keep_alive);
  }
};

bool HasNoBody(int status) { return status == 204 || status == 304; }

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
      ticket_(std::move(ticket)) {
  const AccessObserver& observer = context_->options.on_answered;
  if (!observer) return;
  const Request& seen = guarded_.request;
  access_ = std::make_shared<AccessEntry>(observer, seen.method, seen.path, seen.headers,
                                          seen.remote, seen.id);
}

SocketExchange::~SocketExchange() {
  if (answered_.exchange(true)) return;
  Write(context_->MakeError(500, "internal", "the request was not answered", request().id));
}

bool SocketExchange::CutOff() {
  if (answered_.exchange(true)) return false;
  ticket_->MarkPeerClosed();
  Write(context_->MakeError(503, "unavailable", "the service is restarting, please try again",
                            request().id));
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
  if (access_) access_->SetStatus(valid ? response.status : 500, false);
  WriteBytes(std::move(bytes), keep_alive);
}

void SocketExchange::WriteBytes(std::string bytes, bool keep_alive) {
  AnswerEnd end{socket_, ticket_, access_, keep_alive};
  const Socket::SendResult result = socket_->Send(bytes);
  end.sent_before = result.sent;
  if (result.status == Socket::SendStatus::kAll) return end({.complete = true});
  if (result.status == Socket::SendStatus::kSome &&
      context_->hub->WriteRest(socket_, bytes.substr(result.sent), end)) {
    return;
  }
  GiveUp(result.sent);
}

/// The connection is lost, or the server has stopped.
void SocketExchange::GiveUp(uint64_t sent_bytes) {
  socket_->ShutdownBoth();
  if (access_) access_->Report(sent_bytes, StreamEnd::kPeerGone);
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
    if (access_) access_->SetStatus(200, false);
    WriteBytes(StreamHead(options, keep_alive), keep_alive);
    return nullptr;
  }
  if (ticket_->peer_closed()) {
    if (access_) access_->SetStatus(499, true);
    GiveUp(0);
    return nullptr;
  }
  if (access_) access_->SetStatus(200, true);
  auto sink = Open(std::move(options));
  if (sink == nullptr) {
    Write(context_->MakeError(503, "busy", "no more streams are taken now", request().id));
  }
  return sink;
}

std::shared_ptr<StreamSink> SocketExchange::Open(StreamOptions options) {
  // Without chunks only the end of the connection marks the end of the stream.
  const bool keep_alive = KeepsAlive() && guarded_.http11;
  StreamHub::Stream stream;
  stream.socket = socket_;
  stream.head = StreamHead(options, keep_alive);
  stream.chunked = guarded_.http11;
  stream.options = std::move(options);
  stream.on_release = AnswerEnd{socket_, ticket_, access_, keep_alive};
  return context_->hub->Open(std::move(stream));
}

}  // namespace emptor::services
