// One client connection.
#include "services/http/connection.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <exception>
#include <utility>
#include <vector>

#include "services/http/access_entry.h"
#include "services/http/response_head.h"

namespace emptor::services {
namespace {

using std::chrono::milliseconds;

/// How long, and for how many bytes, the server reads on after a refusal: closing at once could
/// reset the connection before the client has read the reason.
constexpr milliseconds kLingerTime{1000};
constexpr size_t kLingerBytes = 1 << 20;
/// Bytes that a client may send before its answer, beyond one head.
constexpr size_t kMaxAheadBytes = 64 * 1024;

HttpGuardLimits GuardLimits(const HttpServerOptions& options) {
  HttpGuardLimits limits;
  limits.max_header_bytes = options.max_header_bytes;
  limits.max_headers = options.max_headers;
  limits.max_body_bytes = options.max_body_bytes;
  limits.body_limit = &options.body_limit;
  return limits;
}

}  // namespace

Connection::Connection(std::shared_ptr<ServerContext> context, std::shared_ptr<Socket> socket,
                       std::string remote, std::function<void()> notify_answered,
                       Clock::time_point now)
    : context_(std::move(context)),
      socket_(std::move(socket)),
      remote_(std::move(remote)),
      notify_answered_(std::move(notify_answered)),
      guard_(GuardLimits(context_->options)) {
  ResetDeadline(now);
}

Connection::~Connection() {
  context_->unfinished_bytes.fetch_sub(counted_bytes_, std::memory_order_relaxed);
  if (ticket_) ticket_->MarkPeerClosed();
}

void Connection::ResetDeadline(Clock::time_point now) {
  const bool idle = guard_.stage() == HttpGuard::Stage::kIdle;
  deadline_ = now + (idle ? context_->options.idle_timeout : context_->options.header_timeout);
}

void Connection::OnBytes(std::string_view bytes, Clock::time_point now) {
  if (phase_ == Phase::kReading) {
    Read(bytes, now);
  } else if (phase_ == Phase::kAnswering) {
    HoldBack(bytes);
  } else {
    lingered_bytes_ += bytes.size();
    if (lingered_bytes_ > kLingerBytes) socket_->ShutdownBoth();
  }
}

void Connection::Read(std::string_view bytes, Clock::time_point now) {
  while (!bytes.empty() && phase_ == Phase::kReading) {
    const HttpGuard::Stage before = guard_.stage();
    bytes.remove_prefix(guard_.Feed(bytes));
    const HttpGuard::Stage stage = guard_.stage();
    // Head and body have one deadline each: a client that sends single bytes does not extend it.
    if (stage != before) ResetDeadline(now);
    if (guard_.TakeContinue()) socket_->Send("HTTP/1.1 100 Continue\r\n\r\n");
    if (stage == HttpGuard::Stage::kRefused) Refuse(guard_.refusal(), now);
    if (stage == HttpGuard::Stage::kComplete) Dispatch(now);
  }
  if (!CountHeldBytes() && phase_ == Phase::kReading) {
    Refuse({503, "busy", "too much is being sent now, please try again"}, now);
  }
  if (phase_ == Phase::kAnswering) HoldBack(bytes);
}

bool Connection::CountHeldBytes() {
  const size_t held = guard_.held_bytes() + (held_.empty() ? 0 : held_.capacity());
  std::atomic<size_t>& all = context_->unfinished_bytes;
  if (held <= counted_bytes_) {
    all.fetch_sub(counted_bytes_ - held, std::memory_order_relaxed);
    counted_bytes_ = held;
    return true;
  }
  const size_t more = held - counted_bytes_;
  size_t sum = all.load(std::memory_order_relaxed);
  do {
    if (sum + more > context_->options.max_unfinished_bytes) return false;
  } while (!all.compare_exchange_weak(sum, sum + more, std::memory_order_relaxed));
  counted_bytes_ = held;
  return true;
}

void Connection::HoldBack(std::string_view bytes) {
  const HttpServerOptions& options = context_->options;
  const size_t most = options.max_header_bytes + std::min(options.max_body_bytes, kMaxAheadBytes);
  held_too_much_ = held_too_much_ || held_.size() + bytes.size() > most;
  if (!held_too_much_) held_ += bytes;
  if (!CountHeldBytes()) held_too_much_ = true;
  if (held_too_much_) std::string().swap(held_);
  CountHeldBytes();
}

void Connection::Dispatch(Clock::time_point now) {
  GuardedRequest guarded = guard_.TakeRequest();
  guarded.request.id = MakeRequestId();
  guarded.request.remote = remote_;
  phase_ = Phase::kAnswering;
  ticket_ = std::make_shared<AnswerTicket>(context_, notify_answered_);
  auto exchange = std::make_shared<SocketExchange>(context_, std::move(guarded), socket_, ticket_);
  // Registered before the flag is read: a drain that begins now sees the request or refuses it.
  context_->in_flight.Add(ticket_.get(), exchange);
  if (context_->draining) {
    exchange->CutOff();
  } else {
    context_->requests.fetch_add(1, std::memory_order_relaxed);
    CallHandler(std::move(exchange));
  }
  if (ticket_->IsCompleteOrWait()) FinishAnswer(now);
}

void Connection::CallHandler(std::shared_ptr<Exchange> exchange) const {
  // The exchange answers 500 when it dies unanswered, so a failing handler only needs a log line.
  try {
    context_->handler(std::move(exchange));
  } catch (const std::exception& error) {
    spdlog::error("http handler: {}", error.what());
  }
}

void Connection::OnAnswered(Clock::time_point now) {
  if (phase_ != Phase::kAnswering) return;
  FinishAnswer(now);
  if (phase_ == Phase::kReading) Read(std::exchange(held_, {}), now);
}

void Connection::FinishAnswer(Clock::time_point now) {
  const bool reusable = ticket_->reusable() && !held_too_much_;
  ticket_ = nullptr;
  if (!reusable) return Linger(now);
  phase_ = Phase::kReading;
  ResetDeadline(now);
}

void Connection::Refuse(const Refusal& refusal, Clock::time_point now) {
  context_->refused.fetch_add(1, std::memory_order_relaxed);
  const std::string id = MakeRequestId();
  const std::string body = context_->BodyOfError(refusal.status, refusal.code, refusal.message, id);
  std::vector<std::pair<std::string, std::string>> headers = {{"Cache-Control", "no-store"}};
  if (refusal.status == 503) headers.emplace_back("Retry-After", "1");
  std::string bytes = FormatHead({.status = refusal.status,
                                  .content_type = "application/json",
                                  .request_id = id,
                                  .content_length = body.size(),
                                  .keep_alive = false},
                                 headers);
  // Nothing else is in flight, so this fits; otherwise the client only misses the reason.
  const size_t sent = socket_->Send(bytes.append(body)).sent;
  if (const AccessObserver& observer = context_->options.on_answered; observer) {
    const RequestHead& head = guard_.head();
    AccessEntry entry(observer, head.method, head.path, head.headers, remote_, id);
    entry.SetStatus(refusal.status, false);
    entry.Report(sent, StreamEnd::kFinished);
  }
  guard_ = HttpGuard(GuardLimits(context_->options));  // an unfinished body is given up
  Linger(now);
}

void Connection::Linger(Clock::time_point now) {
  phase_ = Phase::kLingering;
  std::string().swap(held_);
  CountHeldBytes();
  socket_->ShutdownWrite();
  deadline_ = now + kLingerTime;
}

/// What the bytes of a body that have come are worth.
milliseconds Connection::TimeOfBody() const {
  const size_t rate = context_->options.slowest_body_bytes_per_second;
  if (phase_ != Phase::kReading || rate == 0) return milliseconds(0);
  return milliseconds(1000 * guard_.body_bytes() / rate);
}

bool Connection::OnTick(Clock::time_point now) {
  if (phase_ == Phase::kAnswering || now < deadline_ + TimeOfBody()) return true;
  if (phase_ == Phase::kLingering || guard_.stage() == HttpGuard::Stage::kIdle) return false;
  Refuse({.status = 408, .code = "request_timeout", .message = "the request took too long"}, now);
  return true;
}

}  // namespace emptor::services
