// A client that sends exact bytes and reads replies one by one.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

namespace emptor::testing {

struct RawReply {
  int status = 0;  // 0: nothing came
  std::string head, body;
  bool complete = false;

  /// Value of a header, found without regard to case; empty if absent.
  std::string Header(std::string_view name) const;
};

/// One connection to 127.0.0.1. Waits end 30 s after the last Send. Thread-safety: none.
class RawClient {
 public:
  /// Port 0: a socket that Connect connects later. `receive_buffer` > 0 makes the kernel hold
  /// little for a client that does not read.
  explicit RawClient(int port, int receive_buffer = 0);
  ~RawClient();
  RawClient(const RawClient&) = delete;
  RawClient& operator=(const RawClient&) = delete;

  bool connected() const { return fd_ >= 0; }
  bool Connect(int port);
  bool Send(std::string_view bytes);

  /// Reads the next reply to its end. `has_body` is false for the answer to HEAD.
  RawReply ReadReply(bool has_body = true);
  /// Reads until what has come and is not consumed contains `text`. False when it never does.
  bool ReadUntil(std::string_view text);
  /// What has come and is not consumed.
  const std::string& pending() const { return buffer_; }
  /// True once the server has closed (or reset) the connection; drops what comes before.
  bool WaitForClose();
  /// Everything up to the server's close.
  std::string ReadToEnd();

  void HalfClose() const;
  /// Leaves with a reset.
  void Reset();
  void Close();

 private:
  bool Receive();
  bool ReadChunks(std::string& body);

  int fd_ = -1;
  bool ended_ = false;
  std::chrono::steady_clock::time_point deadline_;
  std::string buffer_;
};

}  // namespace emptor::testing
