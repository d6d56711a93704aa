// The results of an import on their way to the client, line by line.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "services/http/exchange.h"

namespace emptor::services {

/// Answers one exchange. Few results, up to kHeldBack bytes, wait for the end and are answered in
/// one piece with the status that it has. More are streamed from then on, in pieces, as fast as the
/// client reads them: 200, and when the import fails the last line is the error. Memory: what is
/// held back, and the stream's queue. A client that leaves, or reads nothing for ten seconds, is
/// given up; the import goes on.
/// Thread-safety: one thread at a time.
class ResultStream {
 public:
  static constexpr size_t kHeldBack = 64u << 10;

  ResultStream(Exchange& exchange, std::string job_id);

  /// Whole lines, each with its line feed.
  void Take(std::string_view lines);
  /// Everything was taken.
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
