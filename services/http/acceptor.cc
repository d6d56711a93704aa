// The listening socket.
#include "services/http/acceptor.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

namespace emptor::services {
namespace {

/// A burst of connections waits in this backlog instead of for SYN retries.
constexpr int kBacklog = 4096;
constexpr int kRetryAfterMs = 20;

int OpenSpare() { return open("/dev/null", O_RDONLY | O_CLOEXEC); }

void CloseIfOpen(int& fd) {
  if (fd >= 0) close(std::exchange(fd, -1));
}

int BoundPort(int fd) {
  sockaddr_storage bound{};
  socklen_t size = sizeof bound;
  if (getsockname(fd, reinterpret_cast<sockaddr*>(&bound), &size) != 0) return 0;
  if (bound.ss_family == AF_INET6)
    return ntohs(reinterpret_cast<const sockaddr_in6*>(&bound)->sin6_port);
  return ntohs(reinterpret_cast<const sockaddr_in*>(&bound)->sin_port);
}

/// Binds and listens on one address. -1 with errno set when it cannot.
int ListenOn(const addrinfo& info) {
  const int fd = socket(info.ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (fd < 0) return -1;
  const int one = 1;
  setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
  if (bind(fd, info.ai_addr, info.ai_addrlen) == 0 && listen(fd, kBacklog) == 0) return fd;
  const int error = errno;
  close(fd);
  errno = error;
  return -1;
}

}  // namespace

absl::StatusOr<std::unique_ptr<Acceptor>> Acceptor::Listen(const std::string& address, int port) {
  if (port < 0 || port > 65535)
    return absl::InvalidArgumentError(
        fmt::format("listen: port: expected 0 to 65535, found {}", port));
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
  addrinfo* found = nullptr;
  const std::string service = std::to_string(port);
  const bool is_bracketed = address.size() > 2 && address.front() == '[' && address.back() == ']';
  const std::string host = is_bracketed ? address.substr(1, address.size() - 2) : address;
  if (const int error = getaddrinfo(host.c_str(), service.c_str(), &hints, &found); error != 0)
    return absl::InvalidArgumentError(
        fmt::format("listen: address: {}: found \"{}\"", gai_strerror(error), address));
  std::unique_ptr<Acceptor> acceptor(new Acceptor);
  for (const addrinfo* info = found; info != nullptr && acceptor->listen_fd_ < 0;
       info = info->ai_next)
    acceptor->listen_fd_ = ListenOn(*info);
  const int error = errno;
  freeaddrinfo(found);
  if (acceptor->listen_fd_ < 0)
    return absl::UnavailableError(
        fmt::format("listen: {}:{}: {}", address, port, std::strerror(error)));
  acceptor->stop_fd_ = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  acceptor->spare_fd_ = OpenSpare();
  acceptor->port_ = BoundPort(acceptor->listen_fd_);
  if (acceptor->stop_fd_ < 0 || acceptor->spare_fd_ < 0)
    return absl::UnavailableError("listen: out of descriptors");
  return acceptor;
}

Acceptor::~Acceptor() {
  Stop();
  CloseIfOpen(listen_fd_);
  CloseIfOpen(stop_fd_);
  CloseIfOpen(spare_fd_);
}

void Acceptor::Run(OnAccept on_accept) {
  thread_ = std::thread([this, accept = std::move(on_accept)] { Loop(accept); });
}

void Acceptor::Stop() {
  const uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = write(stop_fd_, &one, sizeof one);
  if (thread_.joinable()) thread_.join();
  CloseIfOpen(listen_fd_);
}

void Acceptor::Loop(const OnAccept& on_accept) {
  std::array<pollfd, 2> watched{{{.fd = listen_fd_, .events = POLLIN, .revents = 0},
                                 {.fd = stop_fd_, .events = POLLIN, .revents = 0}}};
  for (;;) {
    poll(watched.data(), watched.size(), -1);
    if (watched[1].revents != 0) return;
    sockaddr_storage peer{};
    socklen_t size = sizeof peer;
    const int fd = accept4(listen_fd_, reinterpret_cast<sockaddr*>(&peer), &size,
                           SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (fd >= 0) {
      on_accept(fd, peer);
    } else if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM) {
      ShedOne();
    }
    // Any other error concerns a connection that is already closed.
  }
}

void Acceptor::ShedOne() {
  CloseIfOpen(spare_fd_);
  const int fd = accept4(listen_fd_, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
  if (fd >= 0) close(fd);
  spare_fd_ = OpenSpare();
  if (fd < 0 || spare_fd_ < 0) WaitBeforeRetry();
}

void Acceptor::WaitBeforeRetry() const {
  pollfd stop{.fd = stop_fd_, .events = POLLIN, .revents = 0};
  poll(&stop, 1, kRetryAfterMs);
}

std::string AddressText(const sockaddr_storage& peer) {
  char text[INET6_ADDRSTRLEN] = "";
  if (peer.ss_family == AF_INET)
    inet_ntop(AF_INET, &reinterpret_cast<const sockaddr_in*>(&peer)->sin_addr, text, sizeof text);
  if (peer.ss_family == AF_INET6)
    inet_ntop(AF_INET6, &reinterpret_cast<const sockaddr_in6*>(&peer)->sin6_addr, text,
              sizeof text);
  return text;
}

}  // namespace emptor::services
