// A client that sends exact bytes and reads replies one by one.
#include "tests/services/http/raw_client.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <charconv>
#include <utility>

namespace emptor::testing {
namespace {

/// Far above anything a healthy server needs, also under a sanitizer on a busy machine.
constexpr std::chrono::milliseconds kPatience{30000};

std::string LowerCase(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c);
  return lower;
}

}  // namespace

std::string RawReply::Header(std::string_view name) const {
  const std::string lower = LowerCase(head);
  const size_t at = lower.find("\r\n" + LowerCase(name) + ":");
  if (at == std::string::npos) return {};
  const size_t value = head.find_first_not_of(' ', at + name.size() + 3);
  return head.substr(value, head.find("\r\n", value) - value);
}

RawClient::RawClient(int port, int receive_buffer)
    : deadline_(std::chrono::steady_clock::now() + kPatience) {
  fd_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (receive_buffer > 0)
    setsockopt(fd_, SOL_SOCKET, SO_RCVBUF, &receive_buffer, sizeof receive_buffer);
  const int one = 1;
  setsockopt(fd_, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  if (port != 0) Connect(port);
}

bool RawClient::Connect(int port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (connect(fd_, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) Close();
  return connected();
}

RawClient::~RawClient() { Close(); }

bool RawClient::Send(std::string_view bytes) {
  deadline_ = std::chrono::steady_clock::now() + kPatience;
  while (!bytes.empty()) {
    const ssize_t n = send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (n <= 0) return false;
    bytes.remove_prefix(static_cast<size_t>(n));
  }
  return true;
}

bool RawClient::Receive() {
  using std::chrono::milliseconds;
  const auto left =
      std::chrono::duration_cast<milliseconds>(deadline_ - std::chrono::steady_clock::now());
  pollfd readable{.fd = fd_, .events = POLLIN, .revents = 0};
  if (ended_ || fd_ < 0 || left.count() <= 0) return false;
  if (poll(&readable, 1, static_cast<int>(left.count())) <= 0) return false;
  char bytes[16384];
  const ssize_t n = recv(fd_, bytes, sizeof bytes, 0);
  ended_ = n <= 0;
  if (n > 0) buffer_.append(bytes, static_cast<size_t>(n));
  return n > 0;
}

bool RawClient::ReadUntil(std::string_view text) {
  while (buffer_.find(text) == std::string::npos) {
    if (!Receive()) return false;
  }
  return true;
}

bool RawClient::ReadChunks(std::string& body) {
  for (;;) {
    if (!ReadUntil("\r\n")) return false;
    const size_t line = buffer_.find("\r\n");
    size_t size = 0;
    std::from_chars(buffer_.data(), buffer_.data() + line, size, 16);
    while (buffer_.size() < line + 2 + size + 2) {
      if (!Receive()) return false;
    }
    body.append(buffer_, line + 2, size);
    buffer_.erase(0, line + 2 + size + 2);
    if (size == 0) return true;
  }
}

RawReply RawClient::ReadReply(bool has_body) {
  RawReply reply;
  if (!ReadUntil("\r\n\r\n")) return reply;
  const size_t end = buffer_.find("\r\n\r\n");
  reply.head = buffer_.substr(0, end + 2);
  buffer_.erase(0, end + 4);
  reply.status = std::stoi(reply.head.substr(9, 3));
  const std::string length = reply.Header("Content-Length");
  if (!has_body || reply.status == 204 || reply.status == 304 || reply.status < 200) {
    reply.complete = true;
  } else if (reply.Header("Transfer-Encoding") == "chunked") {
    reply.complete = ReadChunks(reply.body);
  } else if (!length.empty()) {
    const size_t size = std::stoul(length);
    while (buffer_.size() < size && Receive()) {
    }
    reply.complete = buffer_.size() >= size;
    reply.body = buffer_.substr(0, size);
    buffer_.erase(0, reply.body.size());
  } else {
    reply.body = ReadToEnd();
    reply.complete = ended_;
  }
  return reply;
}

std::string RawClient::ReadToEnd() {
  while (Receive()) {
  }
  return std::exchange(buffer_, {});
}

bool RawClient::WaitForClose() {
  while (Receive()) buffer_.clear();
  return ended_;
}

void RawClient::HalfClose() const { shutdown(fd_, SHUT_WR); }

void RawClient::Reset() {
  const linger hard{.l_onoff = 1, .l_linger = 0};
  setsockopt(fd_, SOL_SOCKET, SO_LINGER, &hard, sizeof hard);
  Close();
}

void RawClient::Close() {
  if (fd_ >= 0) close(std::exchange(fd_, -1));
}

}  // namespace emptor::testing
