// One import as an object that outlives the process: what was asked, how far it is, what came of
// it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "catalog/encoding/json.h"
#include "catalog/feed/feed_reader.h"
#include "catalog/import/importer.h"

namespace emptor::services {

/// What is asked for.
struct JobSpec {
  catalog::ImportMode mode = catalog::ImportMode::kUpsert;
  catalog::FeedOptions feed;
  bool dry_run = false;
  bool strict = false;                               // ImportOptions::strict
  std::optional<catalog::ScreenPolicy> screen = {};  // nothing: as the shop is set up
  double shrink_limit = 0.2;                         // kReplace: ImportOptions::shrink_limit
  catalog::DedupeMode dedupe = catalog::DedupeMode::kOff;
  std::string source;           // where the feed came from, for people: "feed.jsonl"
  std::string idempotency_key;  // empty: none
  std::string digest;           // SHA-256 of the feed as it came, hexadecimal
  uint64_t bytes = 0;           // of the feed as it came
};

/// Sets one option from text, as the command line, a query string and stored jobs have it: mode,
/// format, currency, locale, columns ("Name=title,Preis=price", or the JSON of a mapping), dry_run,
/// strict, screen, shrink_limit (a share or "20%"), dedupe. Errors: kInvalidArgument, `mode:
/// expected ..., found ...`.
absl::Status SetJobOption(std::string_view name, std::string_view value, JobSpec& spec);
/// That currency and locale are some; what was stored is not asked. Errors: as SetJobOption.
absl::Status CheckFeedOptions(const catalog::FeedOptions& feed);
/// The options that differ from their defaults, such that SetJobOption makes them again.
std::vector<std::pair<std::string, std::string>> JobOptions(const JobSpec& spec);

enum class JobState { kQueued, kRunning, kDone, kFailed, kCancelled };
/// "queued", "running", "done", "failed", "cancelled".
std::string_view ToString(JobState state);

/// How much of a file counts, and its CRC-32; without one (an older version) it is not checked.
struct JobFileMark {
  uint64_t bytes = 0;
  std::optional<uint32_t> crc = std::nullopt;
};

struct Job {
  std::string id;  // "job-00000017": they ascend
  JobSpec spec;
  JobState state = JobState::kQueued;
  std::string created_at, finished_at;  // RFC 3339; empty: not yet
  double seconds = 0;                   // of running, all attempts together
  /// The checkpoint: rows up to here are done, and `report` sums them up.
  uint64_t offset = 0;  // bytes of the decompressed feed
  catalog::ImportReport report;
  JobFileMark results, dead_letters;  // of their files, up to the checkpoint
  JobFileMark feed;                   // of the feed that is kept, if it is
  std::string error_code, error;      // why it failed
  std::vector<std::string> notes;     // FeedReader::notes

  bool is_finished() const { return state == JobState::kDone || state == JobState::kCancelled; }
};

/// One line of JSON, as it is stored and as routes show it.
std::string ToJson(const Job& job);
/// Errors: kInvalidArgument, naming the field.
absl::StatusOr<Job> ParseJob(std::string_view json);

}  // namespace emptor::services
