// The answer to a call as a stream that tells how far it is, for clients that ask for that.
#pragma once

#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>

#include "services/http/exchange.h"
#include "services/mcp/mcp_message.h"

namespace emptor::services {

/// A request with a `progressToken` whose client reads event streams gets `notifications/progress`
/// with each piece of the text, and its answer as the last event. Thread-safety: one call at a
/// time, as AssistListener is called.
class McpProgress {
 public:
  /// Null: the request asks for none. A client that leaves requests a stop of `stop`.
  static std::unique_ptr<McpProgress> Of(std::shared_ptr<Exchange> exchange,
                                         const McpMessage& message, std::stop_source stop);

  /// Opens the stream at the first piece. `progress` counts bytes of text. False: the client is
  /// gone, or the stream was refused and the exchange is answered.
  bool Write(std::string_view piece);
  /// The answer: the last event of the stream, or plain where nothing was written.
  void Finish(Response answer);

 private:
  McpProgress(std::shared_ptr<Exchange> exchange, std::string token, std::stop_source stop);

  const std::shared_ptr<Exchange> exchange_;
  const std::string token_;  // as JSON
  std::stop_source stop_;
  std::shared_ptr<StreamSink> sink_;
  bool is_refused_ = false;
  int64_t written_ = 0;
};

}  // namespace emptor::services
