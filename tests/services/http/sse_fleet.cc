// One epoll loop over all streams.
#include "tests/services/http/sse_fleet.h"

#include <netinet/in.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <fstream>

namespace emptor::testing {
namespace {

constexpr int kSilenceMs = 30000;
constexpr int64_t kStepNs = 100000;

int64_t NowNs() { return std::chrono::steady_clock::now().time_since_epoch().count(); }

int Connect(int port) {
  const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0) return fd;
  close(fd);
  return -1;
}

}  // namespace

void DelayHistogram::Add(int64_t nanoseconds) {
  const auto step = static_cast<size_t>(std::max<int64_t>(nanoseconds, 0) / kStepNs);
  ++steps_[std::min(step, steps_.size() - 1)];
  ++count_;
}

double DelayHistogram::Quantile(double share) const {
  const auto wanted = static_cast<uint64_t>(share * static_cast<double>(count_));
  uint64_t seen = 0;
  size_t step = 0;
  while (step + 1 < steps_.size() && (seen += steps_[step]) <= wanted) ++step;
  return static_cast<double>(step + 1) * kStepNs / 1e6;
}

std::string TimedEvent(int64_t number) {
  return "data: " + std::to_string(number) + " " + std::to_string(NowNs()) + "\n\n";
}

SseFleet::SseFleet(int port, int streams, const std::string& target)
    : epoll_(epoll_create1(EPOLL_CLOEXEC)), streams_(static_cast<size_t>(streams)) {
  const std::string request = "GET " + target + " HTTP/1.1\r\nHost: shop\r\n\r\n";
  for (Stream& stream : streams_) {
    stream.fd = Connect(port);
    if (stream.fd < 0) continue;
    epoll_event event{.events = EPOLLIN, .data = {.ptr = &stream}};
    epoll_ctl(epoll_, EPOLL_CTL_ADD, stream.fd, &event);
    ++open_;
    [[maybe_unused]] const ssize_t sent =
        send(stream.fd, request.data(), request.size(), MSG_NOSIGNAL);
  }
}

SseFleet::~SseFleet() {
  for (const Stream& stream : streams_) {
    if (stream.fd >= 0) close(stream.fd);
  }
  close(epoll_);
}

void SseFleet::ReadToEnd() {
  std::array<epoll_event, 256> ready;
  while (open_ > 0) {
    const int n = epoll_wait(epoll_, ready.data(), static_cast<int>(ready.size()), kSilenceMs);
    if (n == 0 || (n < 0 && errno != EINTR)) return;
    for (int i = 0; i < n; ++i) Read(*static_cast<Stream*>(ready[static_cast<size_t>(i)].data.ptr));
  }
}

void SseFleet::Read(Stream& stream) {
  std::array<char, 16384> bytes;
  const ssize_t n = recv(stream.fd, bytes.data(), bytes.size(), MSG_DONTWAIT);
  if (n < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (n > 0) {
    stream.pending.append(bytes.data(), static_cast<size_t>(n));
    TakeEvents(stream);
    stream.finished = stream.pending.ends_with("\r\n0\r\n\r\n");
  }
  if (n > 0 && !stream.finished) return;
  close(stream.fd);  // takes it out of the epoll set, too
  stream.fd = -1;
  --open_;
}

void SseFleet::TakeEvents(Stream& stream) {
  size_t done = 0;
  for (;;) {
    const size_t begin = stream.pending.find("data: ", done);
    const size_t end = begin == std::string::npos ? begin : stream.pending.find("\n\n", begin);
    if (end == std::string::npos) break;
    char* rest = nullptr;
    const int64_t number = std::strtoll(stream.pending.c_str() + begin + 6, &rest, 10);
    delays_.Add(NowNs() - std::strtoll(rest, nullptr, 10));
    stream.in_order = stream.in_order && number == stream.next;
    ++stream.next;
    done = end;
  }
  stream.pending.erase(0, done);
}

int SseFleet::Whole(int64_t events) const {
  return static_cast<int>(std::count_if(streams_.begin(), streams_.end(), [&](const Stream& each) {
    return each.finished && each.in_order && each.next == events;
  }));
}

int64_t ResidentKib() {
  std::ifstream status("/proc/self/status");
  std::string word;
  while (status >> word) {
    if (word != "VmRSS:") continue;
    int64_t kib = 0;
    status >> kib;
    return kib;
  }
  return 0;
}

}  // namespace emptor::testing
