// One thread writes every answer that does not fit into the socket at once.
#include "services/http/stream_hub.h"

#include <signal.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

#include "services/http/stream_channel.h"

namespace emptor::services {
namespace {

using Clock = StreamChannel::Clock;
using std::chrono::milliseconds;
using ChannelPtr = std::shared_ptr<StreamChannel>;

/// Send buffer of a stream in the kernel, which doubles the figure.
constexpr int kStreamSendBuffer = 64 * 1024;
constexpr uint64_t kWakeId = 0;

}  // namespace

/// The state that producers and the hub's thread share. Outlives both.
struct StreamHub::Shared {
  explicit Shared(StreamHubOptions hub_options) : options(hub_options) {}
  ~Shared() {
    if (epoll_fd >= 0) close(epoll_fd);
    if (wake_fd >= 0) close(wake_fd);
  }
  Shared(const Shared&) = delete;
  Shared& operator=(const Shared&) = delete;

  void Wake() const {
    const uint64_t one = 1;
    // Fails only when the counter is full, and then the thread has been woken already.
    [[maybe_unused]] const ssize_t written = write(wake_fd, &one, sizeof one);
  }
  /// Adds a channel to the list of channels with pending writes.
  void MarkReady(const ChannelPtr& channel);

  const StreamHubOptions options;
  int epoll_fd = -1;
  int wake_fd = -1;
  std::atomic<uint64_t> events_sent{0};

  std::mutex mutex;
  std::condition_variable changed;
  std::vector<ChannelPtr> arrivals;  // guarded by mutex
  std::vector<ChannelPtr> ready;     // guarded by mutex; may name a channel twice
  bool draining = false;             // guarded by mutex
  bool stopping = false;             // guarded by mutex
  uint64_t last_id = kWakeId;        // guarded by mutex
  size_t channels = 0;               // guarded by mutex; not yet released
  StreamHubStats stats;              // guarded by mutex, but for events_sent
};

void StreamHub::Shared::MarkReady(const ChannelPtr& channel) {
  bool wake = false;
  {
    const std::lock_guard lock(mutex);
    if (stopping) return;
    if (!ready.empty() && ready.back() == channel) return;
    wake = ready.empty() && arrivals.empty();
    ready.push_back(channel);
  }
  if (wake) Wake();
}

/// The producer's handle. Destroying it ends the stream.
class StreamHub::Sink final : public StreamSink {
 public:
  Sink(std::shared_ptr<Shared> shared, ChannelPtr channel)
      : shared_(std::move(shared)), channel_(std::move(channel)) {}
  ~Sink() override { End(channel_->setup().options.last_words); }

  bool Push(std::string_view bytes) override {
    const bool alive = channel_->Push(bytes);
    // Includes dead channels: the hub must close one that overflowed.
    shared_->MarkReady(channel_);
    return alive;
  }
  bool PushWhenRoom(std::string_view bytes, std::chrono::milliseconds patience) override {
    if (channel_->WaitForRoom(bytes.size(), patience)) return Push(bytes);
    shared_->MarkReady(channel_);
    return false;
  }
  bool HasRoom(size_t bytes) const override { return channel_->HasRoom(bytes); }
  void Finish() override { End({}); }

 private:
  void End(std::string_view words) {
    if (channel_->state() != StreamChannel::State::kOpen) return;
    channel_->Finish(words, StreamEnd::kFinished);
    shared_->MarkReady(channel_);
  }

  const std::shared_ptr<Shared> shared_;
  const ChannelPtr channel_;
};

/// The hub's thread.
class StreamHub::Loop {
 public:
  explicit Loop(std::shared_ptr<Shared> shared)
      : shared_(std::move(shared)),
        tick_(
            std::clamp(std::min(shared_->options.ping_interval, shared_->options.stall_timeout) / 4,
                       milliseconds(5), milliseconds(250))) {}
  void Run();

 private:
  bool TakeWork();  // false: stop
  void Admit(const ChannelPtr& channel);
  void HandleEvent(const epoll_event& event);
  void Flush(const ChannelPtr& channel);
  bool WriteBatch(const ChannelPtr& channel);
  void Close(const ChannelPtr& channel, StreamEnd end, bool complete);
  void CountEnd(StreamEnd end);
  void DrainAll();
  void Tick();
  std::vector<ChannelPtr> Channels() const;

  const std::shared_ptr<Shared> shared_;
  const milliseconds tick_;
  Clock::time_point next_tick_ = Clock::now();
  bool drained_ = false;
  std::unordered_map<uint64_t, ChannelPtr> channels_;
};

void StreamHub::Loop::Run() {
  std::array<epoll_event, 256> events;
  do {
    const int n = epoll_wait(shared_->epoll_fd, events.data(), events.size(),
                             static_cast<int>(tick_.count()));
    for (int i = 0; i < n; ++i) HandleEvent(events[static_cast<size_t>(i)]);
    if (Clock::now() >= next_tick_) Tick();
  } while (TakeWork());
  for (const ChannelPtr& channel : Channels()) Close(channel, StreamEnd::kShutdown, false);
}

bool StreamHub::Loop::TakeWork() {
  std::vector<ChannelPtr> arrivals, ready;
  bool drain = false, stop = false;
  {
    const std::lock_guard lock(shared_->mutex);
    arrivals.swap(shared_->arrivals);
    ready.swap(shared_->ready);
    drain = shared_->draining && !drained_;
    stop = shared_->stopping;
  }
  for (const ChannelPtr& channel : arrivals) Admit(channel);
  for (const ChannelPtr& channel : ready) {
    if (channels_.count(channel->setup().id) > 0) Flush(channel);
  }
  if (drain) DrainAll();
  return !stop;
}

void StreamHub::Loop::Admit(const ChannelPtr& channel) {
  const StreamChannel::Setup& setup = channel->setup();
  channels_.emplace(setup.id, channel);
  epoll_event event{};
  // A peer that closes its sending half has left a stream, but may still wait for a plain response.
  event.events = EPOLLOUT | EPOLLET | (setup.is_stream ? EPOLLRDHUP : 0u);
  event.data.u64 = setup.id;
  if (epoll_ctl(shared_->epoll_fd, EPOLL_CTL_ADD, setup.socket->fd(), &event) != 0)
    return Close(channel, StreamEnd::kPeerGone, false);
  Flush(channel);
}

void StreamHub::Loop::HandleEvent(const epoll_event& event) {
  if (event.data.u64 == kWakeId) {
    uint64_t count = 0;
    [[maybe_unused]] const ssize_t got = read(shared_->wake_fd, &count, sizeof count);
    return;
  }
  const auto found = channels_.find(event.data.u64);
  if (found == channels_.end()) return;
  const ChannelPtr channel = found->second;
  if ((event.events & (EPOLLRDHUP | EPOLLHUP | EPOLLERR)) != 0)
    return Close(channel, StreamEnd::kPeerGone, false);
  Flush(channel);
}

void StreamHub::Loop::Flush(const ChannelPtr& channel) {
  for (;;) {
    if (channel->written < channel->writing.size()) {
      if (channel->state() == StreamChannel::State::kDead)
        return Close(channel, channel->Take().end, false);
      if (!WriteBatch(channel)) return;
      continue;
    }
    shared_->events_sent.fetch_add(channel->writing_events, std::memory_order_relaxed);
    StreamChannel::Batch batch = channel->Take();
    channel->writing = std::move(batch.bytes);
    channel->written = 0;
    channel->writing_events = batch.events;
    if (batch.state == StreamChannel::State::kDead) return Close(channel, batch.end, false);
    if (!channel->writing.empty()) continue;
    if (batch.state == StreamChannel::State::kFinishing) Close(channel, batch.end, true);
    return;
  }
}

/// False when the socket accepts no more now, or the peer has gone.
bool StreamHub::Loop::WriteBatch(const ChannelPtr& channel) {
  const std::string_view rest = std::string_view(channel->writing).substr(channel->written);
  const Socket::SendResult result = channel->setup().socket->Send(rest);
  channel->written += result.sent;
  channel->sent_bytes += result.sent;
  channel->Sent(result.sent);
  if (result.status == Socket::SendStatus::kGone) {
    Close(channel, StreamEnd::kPeerGone, false);
    return false;
  }
  const auto now = Clock::now();
  if (result.sent > 0) channel->last_write = now;
  const bool was_blocked =
      std::exchange(channel->blocked, result.status != Socket::SendStatus::kAll);
  if (channel->blocked && (!was_blocked || result.sent > 0)) channel->blocked_since = now;
  return !channel->blocked;
}

void StreamHub::Loop::Close(const ChannelPtr& channel, StreamEnd end, bool complete) {
  const StreamChannel::Setup& setup = channel->setup();
  if (channels_.erase(setup.id) == 0) return;
  channel->Kill(end);
  epoll_ctl(shared_->epoll_fd, EPOLL_CTL_DEL, setup.socket->fd(), nullptr);
  if (!complete && end == StreamEnd::kPeerGone) setup.socket->ShutdownBoth();
  if (!complete && end != StreamEnd::kPeerGone) setup.socket->Abort();
  if (setup.is_stream) {
    CountEnd(end);
    channel->ReportEnd(end);
  }
  channel->Release(complete, end);
  const std::lock_guard lock(shared_->mutex);
  --shared_->channels;
  shared_->changed.notify_all();
}

void StreamHub::Loop::CountEnd(StreamEnd end) {
  const std::lock_guard lock(shared_->mutex);
  StreamHubStats& stats = shared_->stats;
  --stats.active_streams;
  stats.finished += end == StreamEnd::kFinished;
  stats.peer_gone += end == StreamEnd::kPeerGone;
  stats.overflow += end == StreamEnd::kOverflow;
  stats.stalled += end == StreamEnd::kStalled;
  stats.shutdown += end == StreamEnd::kShutdown;
}

void StreamHub::Loop::DrainAll() {
  drained_ = true;
  for (const ChannelPtr& channel : Channels()) {
    if (!channel->setup().is_stream) continue;
    channel->Finish(channel->setup().options.last_words, StreamEnd::kShutdown);
    Flush(channel);
  }
}

void StreamHub::Loop::Tick() {
  const auto now = Clock::now();
  next_tick_ = now + tick_;
  for (const ChannelPtr& channel : Channels()) {
    if (channel->blocked && now - channel->blocked_since >= shared_->options.stall_timeout) {
      Close(channel, StreamEnd::kStalled, false);
    } else if (!channel->blocked && channel->takes_pings() &&
               now - channel->last_write >= shared_->options.ping_interval) {
      channel->Ping();
      Flush(channel);
    }
  }
}

std::vector<ChannelPtr> StreamHub::Loop::Channels() const {
  std::vector<ChannelPtr> all;
  all.reserve(channels_.size());
  for (const auto& [id, channel] : channels_) all.push_back(channel);
  return all;
}

absl::StatusOr<std::unique_ptr<StreamHub>> StreamHub::Create(StreamHubOptions options) {
  auto shared = std::make_shared<Shared>(options);
  shared->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
  shared->wake_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.u64 = kWakeId;
  if (shared->epoll_fd < 0 || shared->wake_fd < 0 ||
      epoll_ctl(shared->epoll_fd, EPOLL_CTL_ADD, shared->wake_fd, &event) != 0)
    return absl::UnavailableError("stream hub: no descriptor for epoll or eventfd");
  return std::unique_ptr<StreamHub>(new StreamHub(std::move(shared)));
}

StreamHub::StreamHub(std::shared_ptr<Shared> shared) : shared_(std::move(shared)) {
  thread_ = std::thread([common = shared_] { Loop(common).Run(); });
}

StreamHub::~StreamHub() { Stop(); }

std::shared_ptr<StreamSink> StreamHub::Open(Stream stream) {
  // On failure the kernel keeps its default.
  setsockopt(stream.socket->fd(), SOL_SOCKET, SO_SNDBUF, &kStreamSendBuffer,
             sizeof kStreamSendBuffer);
  ChannelPtr channel;
  {
    const std::lock_guard lock(shared_->mutex);
    if (shared_->stopping || shared_->draining ||
        shared_->stats.active_streams >= shared_->options.max_streams)
      return nullptr;
    channel = std::make_shared<StreamChannel>(
        StreamChannel::Setup{.id = ++shared_->last_id,
                             .socket = std::move(stream.socket),
                             .head = std::move(stream.head),
                             .chunked = stream.chunked,
                             .is_stream = true,
                             .max_queue_bytes = shared_->options.max_queue_bytes,
                             .options = std::move(stream.options),
                             .on_release = std::move(stream.on_release)});
    ++shared_->stats.active_streams;
    ++shared_->channels;
    shared_->arrivals.push_back(channel);
  }
  shared_->Wake();
  return std::make_shared<Sink>(shared_, std::move(channel));
}

bool StreamHub::WriteRest(std::shared_ptr<Socket> socket, std::string bytes,
                          ReleaseFunction on_release) {
  {
    const std::lock_guard lock(shared_->mutex);
    if (shared_->stopping) return false;
    StreamChannel::Setup setup;
    setup.id = ++shared_->last_id;
    setup.socket = std::move(socket);
    setup.head = std::move(bytes);
    setup.on_release = std::move(on_release);
    auto channel = std::make_shared<StreamChannel>(std::move(setup));
    channel->Finish({}, StreamEnd::kFinished);
    ++shared_->channels;
    shared_->arrivals.push_back(std::move(channel));
  }
  shared_->Wake();
  return true;
}

void StreamHub::StartDrain() {
  {
    const std::lock_guard lock(shared_->mutex);
    shared_->draining = true;
  }
  shared_->Wake();
}

bool StreamHub::WaitUntilEmpty(milliseconds timeout) {
  std::unique_lock lock(shared_->mutex);
  return shared_->changed.wait_for(lock, timeout, [&] { return shared_->channels == 0; });
}

void StreamHub::Stop() {
  {
    const std::lock_guard lock(shared_->mutex);
    shared_->stopping = true;
  }
  shared_->Wake();
  if (thread_.joinable()) thread_.join();
}

StreamHubStats StreamHub::stats() const {
  const std::lock_guard lock(shared_->mutex);
  StreamHubStats stats = shared_->stats;
  stats.events_sent = shared_->events_sent.load(std::memory_order_relaxed);
  return stats;
}

}  // namespace emptor::services
