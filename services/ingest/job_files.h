// The files of a job: one result line per row, the refused rows, and the feed until the job has
// run. docs/ingest.md describes them.
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "catalog/feed/feed_reader.h"
#include "catalog/import/import_result.h"
#include "services/ingest/job.h"

namespace emptor::services {

/// One line of dead letters without a line feed:
/// {"line":17,"id":"k1","field":"price","reason":"...","format":"jsonl","preamble":"...","raw":...}.
/// `preamble` and `postamble` stand where the format needs them, `encoding` where the feed was not
/// in UTF-8; `raw` is UTF-8 in any case.
std::string DeadLetterJson(const catalog::LineResult& result, const catalog::FeedReader& reader);

/// A feed of the raw rows of a file of dead letters, to be read again.
struct RetryFeed {
  catalog::FeedFormat format = catalog::FeedFormat::kAuto;
  std::string feed;       // with its preamble and postamble
  std::string postamble;  // of the first dead letter
  std::string last_raw;   // of the last one
  uint64_t rows = 0;      // texts in the feed
  /// Lines of the dead letters that hold no raw text, or a cut one, and cannot be tried again.
  std::vector<uint64_t> without_raw;
  /// Lines whose raw text still holds U+FFFD where the feed had bytes that are no text.
  std::vector<uint64_t> with_broken_text;
};
/// Errors: kInvalidArgument (a line that is no dead letter, or of another format than the first).
absl::StatusOr<RetryFeed> ParseDeadLetters(std::string_view text);

/// The first `mark.bytes` bytes of a job's file. Errors: kDataLoss (damaged, or shorter).
absl::StatusOr<std::string> ReadMarked(const std::string& path, const JobFileMark& mark);
/// Reads it and gives nothing but the error.
absl::Status CheckMarked(const std::string& path, const JobFileMark& mark);
/// The mark of a whole file that holds `bytes`.
JobFileMark MarkOf(std::string_view bytes);

/// The two growing files of a running job. Thread-safety: one thread at a time.
class JobFiles {
 public:
  /// Opens results.jsonl and dead_letters.jsonl under `directory` (made where it is not there), cut
  /// to the sizes of the checkpoint: what was written behind it is written again. Errors:
  /// kUnavailable, kDataLoss (damaged).
  static absl::StatusOr<std::unique_ptr<JobFiles>> Open(const std::string& directory,
                                                        const JobFileMark& results,
                                                        const JobFileMark& dead_letters);
  ~JobFiles();

  /// Appends the results of a batch; the dead letters among them are synced, so that no checkpoint
  /// stands before them. Errors: kUnavailable, kResourceExhausted.
  absl::Status Append(const std::vector<catalog::LineResult>& results,
                      const catalog::FeedReader& reader);
  /// Takes back what was appended behind these sizes.
  void CutTo(const JobFileMark& results, const JobFileMark& dead_letters);

  JobFileMark results() const { return marks_[0]; }
  JobFileMark dead_letters() const { return marks_[1]; }

 private:
  JobFiles() = default;
  absl::Status Write(int which, std::string_view bytes);

  int files_[2] = {-1, -1};
  JobFileMark marks_[2];
};

/// Names within a job's directory.
inline constexpr const char* kResultsFile = "results.jsonl";
inline constexpr const char* kDeadLettersFile = "dead_letters.jsonl";
inline constexpr const char* kFeedFile = "feed";

/// catalog::WriteFileDurably, in a directory that is made where it is not there.
absl::Status WriteWholeFile(const std::string& path, std::string_view bytes);

}  // namespace emptor::services
