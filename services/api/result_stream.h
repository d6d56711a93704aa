// Sends the results of an import to the client, line by line.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "services/http/exchange.h"

namespace emptor::services {

/// Answers one exchange. Up to kHeldBack bytes of results are held back until the end and sent as
/// one answer with the final status. More are streamed with status 200 as fast as the client reads
/// them; when the import fails, the last line is the error. Memory: what is held back, and the
/// stream's queue. A client that leaves, or reads nothing for ten seconds, loses the stream; the
/// import goes on. Thread-safety: one thread at a time.
class ResultStream {
 public:
  static constexpr size_t kHeldBack = 64u << 10;

  /// `job_id` empty: no job runs the import.
  ResultStream(Exchange& exchange, std::string job_id);

  /// Whole lines, each with its line feed.
  void Take(std::string_view lines);
  /// The import has succeeded.
  void Finish();
  /// The import failed: `error` is the whole answer, or the last line of one that has begun.
  void Fail(Response error);

 private:
  void Start();
  void Flush();

  Exchange& exchange_;
  const std::string job_id_;
  std::string pending_;
  bool has_started_ = false;
  std::shared_ptr<StreamSink> sink_;  // null: not started, or given up
};

}  // namespace emptor::services
