// A plain HTTP client for tests and load runs.
#include "tests/support/sse_client.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <utility>

namespace emptor::testing {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

std::string LowerCase(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower;
}

/// Takes chunked or counted body bytes apart as they arrive.
class BodyReader {
 public:
  explicit BodyReader(std::string_view head) {
    const std::string lower = LowerCase(head);
    chunked_ = lower.find("transfer-encoding: chunked") != std::string::npos;
    stream_ = lower.find("text/event-stream") != std::string::npos;
    const size_t at = lower.find("content-length:");
    if (at != std::string::npos) length_ = std::stoul(lower.substr(at + 15));
  }
  bool stream() const { return stream_; }
  bool complete() const { return complete_; }

  /// Moves what is decoded out of `raw`.
  std::string Take(std::string& raw) {
    if (!chunked_) {
      taken_ += raw.size();
      complete_ = taken_ >= length_;
      return std::exchange(raw, {});
    }
    std::string decoded;
    while (!complete_) {
      const size_t end = raw.find("\r\n");
      if (end == std::string::npos) break;
      size_t size = 0;
      std::from_chars(raw.data(), raw.data() + end, size, 16);
      if (raw.size() < end + 2 + size + 2) break;
      decoded.append(raw, end + 2, size);
      raw.erase(0, end + 2 + size + 2);
      complete_ = size == 0;
    }
    return decoded;
  }

 private:
  bool chunked_ = false, stream_ = false, complete_ = false;
  size_t taken_ = 0;
  size_t length_ = SIZE_MAX;  // as the head told; SIZE_MAX: until the connection ends
};

/// Appends what arrives before `end`. False at the end of the connection or of the time.
bool Receive(int fd, std::string& buffer, steady_clock::time_point end) {
  const auto left = std::chrono::duration_cast<milliseconds>(end - steady_clock::now()).count();
  pollfd event{.fd = fd, .events = POLLIN, .revents = 0};
  if (left <= 0 || poll(&event, 1, static_cast<int>(left)) <= 0) return false;
  char bytes[16384];
  const ssize_t n = recv(fd, bytes, sizeof bytes, 0);
  if (n > 0) buffer.append(bytes, static_cast<size_t>(n));
  return n > 0;
}

}  // namespace

void SseParser::Feed(std::string_view bytes, const std::function<void(const SseEvent&)>& on_event) {
  pending_ += bytes;
  size_t start = 0;
  for (size_t end; (end = pending_.find('\n', start)) != std::string::npos; start = end + 1) {
    std::string_view line(pending_.data() + start, end - start);
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    Line(line, on_event);
  }
  pending_.erase(0, start);
}

void SseParser::Line(std::string_view line, const std::function<void(const SseEvent&)>& on_event) {
  if (line.empty()) {
    if (!event_.data.empty() || !event_.name.empty()) on_event(event_);
    event_ = {};
    return;
  }
  if (line.front() == ':') {
    ++comments_;
    return;
  }
  const size_t colon = line.find(':');
  const std::string_view field = line.substr(0, colon);
  std::string_view value = colon == line.npos ? std::string_view() : line.substr(colon + 1);
  if (!value.empty() && value.front() == ' ') value.remove_prefix(1);
  if (field == "id") event_.id = value;
  if (field == "event") event_.name = value;
  if (field == "data") {
    if (!event_.data.empty()) event_.data += '\n';
    event_.data += value;
  }
}

HttpConnection::HttpConnection(int port) {
  fd_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (connect(fd_, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) {
    close(fd_);
    fd_ = -1;
    return;
  }
  const int one = 1;
  setsockopt(fd_, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
}

HttpConnection::~HttpConnection() {
  if (fd_ >= 0) close(fd_);
}

bool HttpConnection::Send(std::string_view bytes) const {
  while (fd_ >= 0 && !bytes.empty()) {
    const ssize_t n = send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (n <= 0) return false;
    bytes.remove_prefix(static_cast<size_t>(n));
  }
  return fd_ >= 0;
}

bool HttpConnection::SendRequest(std::string_view method, std::string_view path,
                                 std::string_view body, std::string_view headers) const {
  std::string request;
  request.append(method).append(" ").append(path).append(" HTTP/1.1\r\nHost: localhost\r\n");
  request.append("Connection: close\r\n").append(headers);
  if (!body.empty() || method == "POST") {
    request += "Content-Type: application/json\r\nContent-Length: " + std::to_string(body.size());
    request += "\r\n";
  }
  return Send(request.append("\r\n").append(body));
}

HttpReply HttpConnection::ReadReply(milliseconds timeout,
                                    const std::function<bool(const SseEvent&)>& on_event) {
  const auto end = steady_clock::now() + timeout;
  HttpReply reply;
  std::string raw;
  size_t head_end;
  while ((head_end = raw.find("\r\n\r\n")) == std::string::npos) {
    if (fd_ < 0 || !Receive(fd_, raw, end)) return reply;
  }
  reply.head = raw.substr(0, head_end + 2);
  raw.erase(0, head_end + 4);
  reply.status = std::atoi(reply.head.c_str() + std::min<size_t>(9, reply.head.size()));
  BodyReader body(reply.head);
  SseParser parser;
  bool wanted = true;
  while (wanted) {
    const std::string bytes = body.Take(raw);
    if (body.stream() && on_event) {
      parser.Feed(bytes, [&](const SseEvent& event) { wanted = wanted && on_event(event); });
    } else {
      reply.body += bytes;
    }
    if (body.complete()) break;
    if (wanted && !Receive(fd_, raw, end)) break;
  }
  reply.complete = body.complete();
  if (!wanted) Reset();
  return reply;
}

void HttpConnection::Reset() {
  if (fd_ < 0) return;
  const linger hard{.l_onoff = 1, .l_linger = 0};
  setsockopt(fd_, SOL_SOCKET, SO_LINGER, &hard, sizeof hard);
  close(fd_);
  fd_ = -1;
}

HttpReply Fetch(int port, std::string_view method, std::string_view path, std::string_view body,
                const std::function<bool(const SseEvent&)>& on_event) {
  HttpConnection connection(port);
  connection.SendRequest(method, path, body);
  return connection.ReadReply(milliseconds(60000), on_event);
}

HttpReply FetchWithKey(int port, const std::string& key, std::string_view method,
                       std::string_view path, std::string_view body) {
  HttpConnection connection(port);
  connection.SendRequest(method, path, body, "Authorization: Bearer " + key + "\r\n");
  return connection.ReadReply(milliseconds(60000));
}

}  // namespace emptor::testing
