// An HTTPS server with a certificate of its own, which no system trusts.
#pragma once

#include <memory>
#include <string>

namespace emptor::testing {

/// Answers every request on 127.0.0.1 with the same bytes. Its certificate is for that address, and
/// signed by itself.
class TlsServer {
 public:
  explicit TlsServer(std::string answer);
  ~TlsServer();
  TlsServer(const TlsServer&) = delete;
  TlsServer& operator=(const TlsServer&) = delete;

  int port() const;
  /// The certificate, in PEM.
  const std::string& certificate() const;
  int requests() const;

 private:
  struct Impl;
  const std::unique_ptr<Impl> impl_;
};

}  // namespace emptor::testing
