// The HTTP server over Pistache's reactor and transport.
#include "services/http/http_server.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pistache/peer.h>
#include <pistache/reactor.h>
#include <pistache/tcp.h>
#include <pistache/transport.h>
#include <signal.h>
#include <spdlog/spdlog.h>
#include <sys/resource.h>
#include <sys/timerfd.h>

#include <algorithm>
#include <exception>
#include <unordered_map>
#include <utility>
#include <vector>

#include "services/http/acceptor.h"
#include "services/http/connection.h"
#include "services/http/drain.h"
#include "services/http/response_head.h"
#include "services/http/server_context.h"
#include "services/http/worker_inbox.h"

namespace emptor::services {
namespace {

using std::chrono::milliseconds;
using PeerPtr = std::shared_ptr<Pistache::Tcp::Peer>;
using Clock = Connection::Clock;

/// A connection is closed if sent data stays unacknowledged for this long.
constexpr unsigned kUnconfirmedMs = 30000;
/// Descriptors reserved for files, the catalog and the rest of the process.
constexpr size_t kReservedDescriptors = 64;

/// The connections of one worker, by Pistache's unique peer id (never by descriptor number).
/// Thread-safety: the worker's thread.
class ConnectionTable final : public Pistache::Tcp::Handler {
 public:
  explicit ConnectionTable(std::shared_ptr<ServerContext> context)
      : context_(std::move(context)), inbox_(std::make_shared<WorkerInbox>()) {}

  std::shared_ptr<Pistache::Tcp::Handler> clone() const override {
    return std::make_shared<ConnectionTable>(context_);
  }

  void onInput(const char* bytes, size_t size, const PeerPtr& peer) override {
    const auto found = entries_.find(peer->getID());
    if (found != entries_.end()) found->second.connection->OnBytes({bytes, size}, Clock::now());
  }

  void onDisconnection(const PeerPtr& peer) override {
    if (entries_.erase(peer->getID()) > 0) context_->connections.Remove();
  }

  /// Registers a connection before its peer is polled. False when there is no descriptor left.
  bool Add(const PeerPtr& peer, std::string remote);
  void OnAnswered(uint64_t id) {
    const auto found = entries_.find(id);
    if (found != entries_.end()) found->second.connection->OnAnswered(Clock::now());
  }
  /// The connections whose time is up, and all connections.
  std::vector<PeerPtr> Overdue() const;
  std::vector<PeerPtr> All() const;

  WorkerInbox& inbox() { return *inbox_; }
  ServerContext& context() { return *context_; }

 private:
  struct Entry {
    PeerPtr peer;
    std::unique_ptr<Connection> connection;
  };

  const std::shared_ptr<ServerContext> context_;
  const std::shared_ptr<WorkerInbox> inbox_;
  std::unordered_map<uint64_t, Entry> entries_;
};

bool ConnectionTable::Add(const PeerPtr& peer, std::string remote) {
  const int duplicate = fcntl(peer->fd(), F_DUPFD_CLOEXEC, 3);
  if (duplicate < 0) return false;
  const uint64_t id = peer->getID();
  auto notify = [inbox = inbox_, id] { inbox->PostAnswered(id); };
  entries_.emplace(id, Entry{peer, std::make_unique<Connection>(
                                       context_, std::make_shared<Socket>(duplicate),
                                       std::move(remote), std::move(notify), Clock::now())});
  return true;
}

std::vector<PeerPtr> ConnectionTable::Overdue() const {
  const auto now = Clock::now();
  std::vector<PeerPtr> overdue;
  for (const auto& [id, entry] : entries_) {
    if (!entry.connection->OnTick(now)) overdue.push_back(entry.peer);
  }
  return overdue;
}

std::vector<PeerPtr> ConnectionTable::All() const {
  std::vector<PeerPtr> all;
  for (const auto& [id, entry] : entries_) all.push_back(entry.peer);
  return all;
}

/// Pistache's transport of one worker, with an inbox and a timer in its poller. New peers are added
/// on the worker's thread, so Pistache's cross-thread queues stay unused. Nothing is written
/// through it. Exceptions of the library end here.
class WorkerTransport final : public Pistache::Tcp::Transport {
 public:
  explicit WorkerTransport(std::shared_ptr<ConnectionTable> table)
      : Transport(table),
        table_(std::move(table)),
        timer_fd_(timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC)) {}
  ~WorkerTransport() override {
    if (timer_fd_ >= 0) close(timer_fd_);
  }

  std::shared_ptr<Pistache::Aio::Handler> clone() const override {
    return std::make_shared<WorkerTransport>(
        std::static_pointer_cast<ConnectionTable>(table_->clone()));
  }

  void registerPoller(Pistache::Polling::Epoll& poller) override;
  void onReady(const Pistache::Aio::FdSet& fds) override;

  WorkerInbox& inbox() { return table_->inbox(); }

 private:
  void StartTimer() const;
  void HandleInbox();
  void HandleTimer();
  void Admit(const WorkerInbox::Arrival& arrival);
  void Remove(const PeerPtr& peer);

  const std::shared_ptr<ConnectionTable> table_;
  const int timer_fd_;
};

void WorkerTransport::registerPoller(Pistache::Polling::Epoll& poller) {
  using Pistache::Polling::NotifyOn;
  Transport::registerPoller(poller);
  for (const int fd : {inbox().wake_fd(), timer_fd_})
    poller.addFd(fd, Pistache::Flags<NotifyOn>(NotifyOn::Read),
                 Pistache::Polling::Tag(static_cast<uint64_t>(fd)));
  StartTimer();
}

void WorkerTransport::StartTimer() const {
  const HttpServerOptions& options = table_->context().options;
  const auto shortest = std::min(options.header_timeout, options.idle_timeout);
  const milliseconds tick = std::clamp(shortest / 4, milliseconds(5), milliseconds(250));
  itimerspec spec{};
  spec.it_value.tv_nsec = spec.it_interval.tv_nsec = tick.count() * 1000000;
  timerfd_settime(timer_fd_, 0, &spec, nullptr);
}

void WorkerTransport::onReady(const Pistache::Aio::FdSet& fds) {
  try {
    Transport::onReady(fds);  // ignores the descriptors that it does not know
    for (size_t i = 0; i < fds.size(); ++i) {
      const auto tag = static_cast<int>(fds.at(i).getTag().value());
      if (tag == inbox().wake_fd()) HandleInbox();
      if (tag == timer_fd_) HandleTimer();
    }
  } catch (const std::exception& error) {
    spdlog::error("http worker: {}", error.what());
  }
}

void WorkerTransport::HandleInbox() {
  const WorkerInbox::Contents contents = inbox().Take();
  for (const WorkerInbox::Arrival& arrival : contents.arrivals) Admit(arrival);
  for (const uint64_t id : contents.answered) table_->OnAnswered(id);
  if (!contents.stop) return;
  for (const PeerPtr& peer : table_->All()) Remove(peer);
}

void WorkerTransport::HandleTimer() {
  uint64_t expirations = 0;
  [[maybe_unused]] const ssize_t got = read(timer_fd_, &expirations, sizeof expirations);
  for (const PeerPtr& peer : table_->Overdue()) Remove(peer);
}

void WorkerTransport::Admit(const WorkerInbox::Arrival& arrival) {
  sockaddr_storage address = arrival.peer;
  const PeerPtr peer = Pistache::Tcp::Peer::Create(
      arrival.fd, Pistache::Address::fromUnix(reinterpret_cast<sockaddr*>(&address)));
  if (!table_->Add(peer, AddressText(arrival.peer))) {
    close(arrival.fd);
    table_->context().connections.Remove();
    return;
  }
  try {
    handleNewPeer(peer);
  } catch (const std::exception& error) {  // the kernel refused to poll another descriptor
    spdlog::warn("http worker: new connection: {}", error.what());
    table_->onDisconnection(peer);
    peers.erase(arrival.fd);
    close(arrival.fd);
  }
}

/// REQUIRES: not inside onInput, whose caller goes on reading from the descriptor.
void WorkerTransport::Remove(const PeerPtr& peer) {
  table_->onDisconnection(peer);
  try {
    removePeer(peer);
  } catch (const std::exception& error) {
    spdlog::warn("http worker: remove connection: {}", error.what());
  }
}

/// Threads that start while it lives block all signals; main handles them.
class SignalBlock {
 public:
  SignalBlock() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~SignalBlock() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalBlock(const SignalBlock&) = delete;
  SignalBlock& operator=(const SignalBlock&) = delete;

 private:
  sigset_t before_;
};

/// Raises the soft limit of descriptors to the hard one. Returns how many connections fit: each
/// takes two descriptors.
size_t ConnectionsThatFit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return 256;
  const rlim_t before = std::exchange(limit.rlim_cur, limit.rlim_max);
  if (setrlimit(RLIMIT_NOFILE, &limit) != 0) limit.rlim_cur = before;
  const size_t descriptors = limit.rlim_cur;
  return std::max<size_t>(descriptors, kReservedDescriptors + 16) / 2 - kReservedDescriptors / 2;
}

absl::Status Validate(const HttpServerOptions& options) {
  if (options.threads < 1 || options.threads > 128)
    return absl::InvalidArgumentError(
        fmt::format("http: threads: expected 1 to 128, found {}", options.threads));
  if (options.header_timeout <= milliseconds(0) || options.idle_timeout <= milliseconds(0) ||
      options.ping_interval <= milliseconds(0) || options.stall_timeout <= milliseconds(0))
    return absl::InvalidArgumentError("http: timeouts: expected more than 0 ms");
  return absl::OkStatus();
}

}  // namespace

class HttpServer::Impl {
 public:
  explicit Impl(HttpServerOptions options) : context_(std::make_shared<ServerContext>()) {
    context_->options = std::move(options);
  }
  ~Impl() { Stop(); }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  absl::Status Start(Handler handler);
  int port() const { return port_; }
  void RefuseNew() { services::RefuseNew(*context_); }
  DrainReport Drain(milliseconds grace);
  void Stop();
  HttpServerStats stats() const;

 private:
  absl::Status StartReactor();
  void OnAccept(int fd, const sockaddr_storage& peer);
  void RefuseConnection(int fd);

  const std::shared_ptr<ServerContext> context_;
  int port_ = 0;
  bool started_ = false;
  size_t max_connections_ = 0;
  size_t next_worker_ = 0;  // acceptor's thread
  std::vector<std::shared_ptr<WorkerTransport>> workers_;
  std::unique_ptr<Pistache::Aio::Reactor> reactor_;
  std::unique_ptr<Acceptor> acceptor_;
};

absl::Status HttpServer::Impl::Start(Handler handler) {
  if (started_) return absl::FailedPreconditionError("http: started already");
  const HttpServerOptions& options = context_->options;
  if (absl::Status valid = Validate(options); !valid.ok()) return valid;
  signal(SIGPIPE, SIG_IGN);
  max_connections_ = std::min(options.max_connections, ConnectionsThatFit());
  auto acceptor = Acceptor::Listen(options.address, options.port);
  if (!acceptor.ok()) return acceptor.status();
  const SignalBlock no_signals;
  auto hub = StreamHub::Create({.max_streams = options.max_streams,
                                .max_queue_bytes = options.max_stream_queue_bytes,
                                .ping_interval = options.ping_interval,
                                .stall_timeout = options.stall_timeout});
  if (!hub.ok()) return hub.status();
  context_->hub = std::move(*hub);
  context_->handler = std::move(handler);
  if (absl::Status ready = StartReactor(); !ready.ok()) return ready;
  acceptor_ = std::move(*acceptor);
  port_ = acceptor_->port();
  started_ = true;
  acceptor_->Run([this](int fd, const sockaddr_storage& peer) { OnAccept(fd, peer); });
  return absl::OkStatus();
}

absl::Status HttpServer::Impl::StartReactor() {
  try {
    auto reactor = std::make_unique<Pistache::Aio::Reactor>();
    reactor->init(
        Pistache::Aio::AsyncContext(static_cast<size_t>(context_->options.threads), "http-worker"));
    const auto key = reactor->addHandler(
        std::make_shared<WorkerTransport>(std::make_shared<ConnectionTable>(context_)));
    for (const auto& transport : reactor->handlers(key))
      workers_.push_back(std::static_pointer_cast<WorkerTransport>(transport));
    reactor->run();
    reactor_ = std::move(reactor);
    return absl::OkStatus();
  } catch (const std::exception& error) {
    workers_.clear();
    return absl::UnavailableError(fmt::format("http: reactor: {}", error.what()));
  }
}

void HttpServer::Impl::OnAccept(int fd, const sockaddr_storage& peer) {
  if (context_->connections.count() >= max_connections_) return RefuseConnection(fd);
  const int one = 1;
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  setsockopt(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &kUnconfirmedMs, sizeof kUnconfirmedMs);
  context_->connections.Add();
  workers_[next_worker_++ % workers_.size()]->inbox().PostArrival({.fd = fd, .peer = peer});
}

void HttpServer::Impl::RefuseConnection(int fd) {
  const Socket socket(fd);
  context_->refused.fetch_add(1, std::memory_order_relaxed);
  const std::string id = MakeRequestId();
  const std::string body = context_->BodyOfError(503, "busy", "too many connections", id);
  socket.Send(FormatHead({.status = 503,
                          .content_type = "application/json",
                          .request_id = id,
                          .content_length = body.size(),
                          .keep_alive = false},
                         {{"Retry-After", "1"}}) +
              body);
  socket.ShutdownWrite();
}

DrainReport HttpServer::Impl::Drain(milliseconds grace) {
  return started_ ? services::Drain(*context_, grace) : DrainReport{};
}

void HttpServer::Impl::Stop() {
  if (!started_) return;
  started_ = false;
  acceptor_->Stop();
  context_->hub->Stop();
  for (const auto& worker : workers_) worker->inbox().PostStop();
  // A handler that still runs uses its connection, so Stop waits for it.
  while (!context_->connections.WaitForZero(milliseconds(1000)))
    spdlog::warn("http: stop: {} connections still in use", context_->connections.count());
  reactor_->shutdown();
  reactor_ = nullptr;  // joins the workers
  workers_.clear();
}

HttpServerStats HttpServer::Impl::stats() const {
  HttpServerStats stats;
  stats.connections = context_->connections.count();
  stats.unfinished_bytes = context_->unfinished_bytes.load(std::memory_order_relaxed);
  stats.requests = context_->requests.load(std::memory_order_relaxed);
  stats.refused = context_->refused.load(std::memory_order_relaxed);
  if (context_->hub == nullptr) return stats;
  const StreamHubStats hub = context_->hub->stats();
  stats.active_streams = hub.active_streams;
  stats.streams_finished = hub.finished;
  stats.streams_peer_gone = hub.peer_gone;
  stats.streams_overflow = hub.overflow;
  stats.streams_stalled = hub.stalled;
  stats.events_sent = hub.events_sent;
  return stats;
}

HttpServer::HttpServer(HttpServerOptions options)
    : impl_(std::make_unique<Impl>(std::move(options))) {}
HttpServer::~HttpServer() = default;
absl::Status HttpServer::Start(Handler handler) { return impl_->Start(std::move(handler)); }
int HttpServer::port() const { return impl_->port(); }
void HttpServer::RefuseNew() { impl_->RefuseNew(); }
DrainReport HttpServer::Drain(std::chrono::milliseconds grace) { return impl_->Drain(grace); }
void HttpServer::Stop() { impl_->Stop(); }
HttpServerStats HttpServer::stats() const { return impl_->stats(); }

}  // namespace emptor::services
