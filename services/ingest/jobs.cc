// Jobs are kept in a map. Every state change is stored as metadata of the shop before it is
// visible.
#include "services/ingest/jobs.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <utility>

#include "catalog/encoding/timestamp.h"
#include "catalog/feed/currency_check.h"
#include "services/ingest/job_files.h"

namespace emptor::services {
namespace {

using catalog::ImportBatch;
using std::chrono::steady_clock;

constexpr std::string_view kMetadataPrefix = "job-";

int64_t SystemNow() {
  return std::chrono::duration_cast<std::chrono::seconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

bool IsSameWork(const JobSpec& a, const JobSpec& b) {
  return a.digest == b.digest && JobOptions(a) == JobOptions(b);
}

std::string LowerCode(const absl::Status& status) {
  std::string code(absl::StatusCodeToString(status.code()));
  std::transform(code.begin(), code.end(), code.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return code;
}

void Fail(Job& job, const absl::Status& status) {
  job.state = JobState::kFailed;
  job.error_code = LowerCode(status);
  job.error = std::string(status.message());
}

void BreakOff(Job& job) {
  job.state = JobState::kFailed;
  job.error_code = "broken_off";
  job.error = "the process ended before the job did; send the same feed again to continue";
}

absl::Status NoSuchJob() { return absl::NotFoundError("id: no such job"); }

}  // namespace

/// A job while it runs.
struct Jobs::Attempt {
  catalog::ImportReport before;
  Job job;           // state after the current batch
  Job committed;     // as it is
  std::string note;  // that the batch under way writes; empty: none
  std::shared_ptr<std::atomic<bool>> cancelled;
  std::unique_ptr<JobFiles> files;
};

Jobs::Jobs(ShopWriter& shop, const JobsOptions& options) : shop_(shop), options_(options) {}

absl::StatusOr<std::unique_ptr<Jobs>> Jobs::Open(ShopWriter& shop, const JobsOptions& options) {
  std::unique_ptr<Jobs> jobs(new Jobs(shop, options));
  if (absl::Status status = jobs->Load(); !status.ok()) return status;
  return jobs;
}

std::string Jobs::Now() const {
  return catalog::FormatRfc3339(options_.now_unix ? options_.now_unix() : SystemNow());
}

std::string Jobs::DirectoryOf(std::string_view id) const {
  return options_.directory + "/" + std::string(id);
}

bool Jobs::HasFeed(std::string_view id) const {
  return std::filesystem::exists(DirectoryOf(id) + "/" + kFeedFile);
}

absl::Status Jobs::Load() {
  absl::Status damage;
  const absl::Status scanned =
      shop_.ScanMetadata([&](std::string_view name, std::string_view value) {
        if (!name.starts_with(kMetadataPrefix)) return true;
        auto job = ParseJob(value);
        if (!job.ok()) {
          damage =
              absl::DataLossError(fmt::format("{}: {}", name, std::string(job.status().message())));
          return false;
        }
        last_number_ = std::max<uint64_t>(
            last_number_, std::strtoull(job->id.c_str() + kMetadataPrefix.size(), nullptr, 10));
        jobs_[job->id].job = *std::move(job);
        return true;
      });
  if (!scanned.ok()) return scanned;
  if (!damage.ok()) return damage;
  for (auto& [id, entry] : jobs_) {
    Job& job = entry.job;
    if (job.state != JobState::kRunning && job.state != JobState::kQueued) continue;
    job.state = JobState::kQueued;
    if (!HasFeed(id)) BreakOff(job);
  }
  return absl::OkStatus();
}

absl::Status Jobs::Store(const Job& job) {
  const absl::Status status = shop_.WriteMetadata({{job.id, ToJson(job)}});
  if (status.ok()) Keep(job);
  return status;
}

void Jobs::Keep(const Job& job) {
  const std::lock_guard lock(mutex_);
  jobs_[job.id].job = job;
}

absl::StatusOr<Jobs::Started> Jobs::Start(const JobSpec& spec,
                                          std::optional<std::string_view> feed) {
  if (absl::Status status = CheckFeedOptions(spec.feed); !status.ok()) return status;
  const std::lock_guard start_lock(start_mutex_);
  if (absl::Status status = Forget(); !status.ok()) return status;
  if (!spec.idempotency_key.empty()) {
    for (const Job& job : List()) {
      if (job.spec.idempotency_key != spec.idempotency_key) continue;
      if (!IsSameWork(job.spec, spec)) {
        return absl::AlreadyExistsError("idempotency_key: already used for another feed or mode");
      }
      if (job.state != JobState::kFailed) return Started{job, false};
      auto again = QueueAgain(job, feed);
      if (!again.ok()) return again.status();
      return Started{*std::move(again), true};
    }
  }
  Job job;
  job.spec = spec;
  job.created_at = Now();
  {
    const std::lock_guard lock(mutex_);
    job.id = fmt::format("{}{:08}", kMetadataPrefix, ++last_number_);
  }
  // Existing files belong to a job that was never acknowledged.
  std::error_code ignored;
  std::filesystem::remove_all(DirectoryOf(job.id), ignored);
  auto queued = QueueAgain(std::move(job), feed);
  if (!queued.ok()) return queued.status();
  return Started{*std::move(queued), true};
}

absl::StatusOr<std::optional<Job>> Jobs::Resume(const JobSpec& spec) {
  const std::lock_guard start_lock(start_mutex_);
  for (const Job& job : List()) {
    const bool broken = job.state == JobState::kFailed || job.state == JobState::kCancelled;
    if (!broken || !IsSameWork(job.spec, spec)) continue;
    auto again = QueueAgain(job, std::nullopt);
    if (!again.ok()) return again.status();
    return std::optional<Job>(*std::move(again));
  }
  return std::optional<Job>();
}

/// Stores the feed before the job, so that every queued job can run.
absl::StatusOr<Job> Jobs::QueueAgain(Job job, std::optional<std::string_view> feed) {
  job.state = JobState::kQueued;
  job.error_code.clear();
  job.error.clear();
  job.finished_at.clear();
  if (feed) {
    const absl::Status kept = WriteWholeFile(DirectoryOf(job.id) + "/" + kFeedFile, *feed);
    if (!kept.ok()) return kept;
    job.feed = MarkOf(*feed);
  }
  if (absl::Status status = Store(job); !status.ok()) return status;
  const std::lock_guard lock(mutex_);
  jobs_[job.id].cancelled->store(false);
  return job;
}

/// Removes the oldest finished jobs beyond the number to keep.
absl::Status Jobs::Forget() {
  std::vector<std::string> old;
  size_t ended = 0;
  for (const Job& job : List()) {
    const bool has_ended = job.is_finished() || job.state == JobState::kFailed;
    if (has_ended && ++ended > options_.keep) old.push_back(job.id);
  }
  if (old.empty()) return absl::OkStatus();
  std::vector<catalog::MetadataEntry> notes;
  for (const std::string& id : old) notes.push_back({id, std::nullopt});
  if (absl::Status status = shop_.WriteMetadata(std::move(notes)); !status.ok()) return status;
  for (const std::string& id : old) {
    std::error_code ignored;
    std::filesystem::remove_all(DirectoryOf(id), ignored);
    const std::lock_guard lock(mutex_);
    jobs_.erase(id);
  }
  return absl::OkStatus();
}

absl::StatusOr<Jobs::Attempt> Jobs::Begin(const std::string& id) {
  Attempt attempt;
  {
    const std::lock_guard lock(mutex_);
    const auto entry = jobs_.find(id);
    if (entry == jobs_.end()) return NoSuchJob();
    if (interrupted_) return absl::AbortedError("the process ends");
    if (entry->second.job.state != JobState::kQueued) {
      return absl::FailedPreconditionError(
          fmt::format("{}: is {}", id, ToString(entry->second.job.state)));
    }
    entry->second.job.state = JobState::kRunning;
    attempt.job = entry->second.job;
    attempt.cancelled = entry->second.cancelled;
  }
  auto files = JobFiles::Open(DirectoryOf(id), attempt.job.results, attempt.job.dead_letters);
  if (!files.ok()) {
    Fail(attempt.job, files.status());
    Keep(attempt.job);
    return files.status();
  }
  attempt.files = *std::move(files);
  attempt.committed = attempt.job;
  attempt.before = attempt.job.report;
  return attempt;
}

absl::StatusOr<Job> Jobs::Run(const std::string& id, std::istream& feed,
                              const catalog::ResultSink& on_result) {
  auto attempt = Begin(id);
  if (!attempt.ok()) return attempt.status();
  const auto begun = steady_clock::now();
  const absl::Status status = RunAttempt(*attempt, feed, on_result);
  return End(*attempt, status, std::chrono::duration<double>(steady_clock::now() - begun).count());
}

absl::StatusOr<Job> Jobs::RunKept(const std::string& id) {
  const auto job = Find(id);
  if (!job) return NoSuchJob();
  const std::string path = DirectoryOf(id) + "/" + kFeedFile;
  absl::Status sound = CheckMarked(path, job->feed);
  std::error_code error;
  if (sound.ok() && job->feed.crc && std::filesystem::file_size(path, error) != job->feed.bytes) {
    sound = absl::DataLossError(path + ": damaged, longer than it was kept");
  }
  if (absl::IsDataLoss(sound) && job->state == JobState::kQueued) {
    Job failed = *job;
    Fail(failed, sound);
    absl::Status stored = Store(failed);
    if (!stored.ok()) return stored;
    return failed;
  }
  std::ifstream feed(path, std::ios::binary);
  return Run(id, feed, nullptr);
}

/// Called before each batch is written; the previous batch is then stored.
absl::Status Jobs::Checkpoint(Attempt& attempt, ImportBatch& batch,
                              const catalog::FeedReader& reader) {
  attempt.committed = attempt.job;
  attempt.note.clear();
  Keep(attempt.committed);
  if (attempt.cancelled->load()) return absl::CancelledError("cancelled");
  if (interrupted_) return absl::AbortedError("the process ends");
  const absl::Status status = attempt.files->Append(batch.results, reader);
  if (!status.ok()) return status;
  attempt.job.offset = batch.end_offset;
  attempt.job.report = batch.report;
  attempt.job.notes = reader.notes();
  attempt.job.results = attempt.files->results();
  attempt.job.dead_letters = attempt.files->dead_letters();
  if (attempt.job.spec.dry_run) return absl::OkStatus();
  attempt.note = ToJson(attempt.job);
  batch.changes.metadata.push_back({attempt.job.id, attempt.note});
  return absl::OkStatus();
}

/// True when the store holds the checkpoint of the last batch.
bool Jobs::IsStored(const Attempt& attempt) const {
  if (attempt.note.empty()) return true;
  bool is_stored = false;
  const absl::Status scanned =
      shop_.ScanMetadata([&](std::string_view name, std::string_view value) {
        if (name != attempt.job.id) return true;
        is_stored = value == attempt.note;
        return false;
      });
  return scanned.ok() && is_stored;
}

/// Amounts without a currency get that of the options, else that of the shop's prices. Errors:
/// kInvalidArgument if neither is known and the feed has such an amount. A resumed feed has passed
/// this check before.
absl::Status Jobs::SettleCurrency(const Attempt& attempt, std::istream& feed,
                                  catalog::FeedOptions& options) const {
  if (!options.currency.empty()) return absl::OkStatus();
  const auto profile = shop_.profile();
  if (profile->has_prices) options.currency = profile->currency;
  const bool is_settled = profile->has_prices || attempt.job.offset > 0 ||
                          attempt.job.spec.mode == catalog::ImportMode::kDelete;
  if (is_settled) return absl::OkStatus();
  return catalog::CheckCurrencies(feed, options);
}

absl::Status Jobs::RunAttempt(Attempt& attempt, std::istream& feed,
                              const catalog::ResultSink& on_result) {
  if (absl::Status status = shop_.WriteMetadata({{attempt.job.id, ToJson(attempt.job)}});
      !status.ok()) {
    return status;
  }
  const JobSpec& spec = attempt.job.spec;
  catalog::FeedOptions feed_options = spec.feed;
  feed_options.patches =
      spec.mode == catalog::ImportMode::kUpdate || spec.mode == catalog::ImportMode::kDelete;
  catalog::ImportOptions options;
  options.mode = spec.mode;
  options.batch_lines = options_.batch_lines;
  options.dry_run = spec.dry_run;
  options.strict = feed_options.strict = spec.strict;
  options.screen = spec.screen.value_or(shop_.screen_policy());
  options.shrink_limit = spec.shrink_limit;
  options.dedupe = spec.dedupe;
  options.resume_offset = attempt.job.offset;
  options.done = attempt.job.report;
  if (absl::Status status = SettleCurrency(attempt, feed, feed_options); !status.ok()) {
    return status;
  }
  const auto report = shop_.Import(feed, feed_options, options, on_result,
                                   [&](ImportBatch& batch, const catalog::FeedReader& reader) {
                                     return Checkpoint(attempt, batch, reader);
                                   });
  if (report.ok()) attempt.job.report = *report;
  return report.status();
}

absl::StatusOr<Job> Jobs::End(Attempt& attempt, const absl::Status& status, double seconds) {
  Job job = status.ok() || IsStored(attempt) ? attempt.job : attempt.committed;
  attempt.files->CutTo(job.results, job.dead_letters);
  job.seconds += seconds;
  job.finished_at = Now();
  job.state = status.ok()                 ? JobState::kDone
              : absl::IsCancelled(status) ? JobState::kCancelled
                                          : JobState::kFailed;
  const bool goes_on = absl::IsAborted(status) && HasFeed(job.id);
  if (goes_on) job.state = JobState::kQueued;
  if (job.state == JobState::kFailed) Fail(job, status);
  if (absl::IsAborted(status) && !goes_on) BreakOff(job);
  const absl::Status stored = Store(job);
  if (!stored.ok()) Keep(job);
  shop_.NoteJobEnd();
  if (goes_on) return job;
  std::error_code ignored;
  std::filesystem::remove(DirectoryOf(job.id) + "/" + kFeedFile, ignored);
  if (options_.on_finished) options_.on_finished(job, attempt.before);
  if (!stored.ok() && status.ok()) return stored;
  return job;
}

absl::StatusOr<Job> Jobs::Cancel(const std::string& id) {
  Job job;
  {
    const std::lock_guard lock(mutex_);
    const auto entry = jobs_.find(id);
    if (entry == jobs_.end()) return NoSuchJob();
    job = entry->second.job;
    if (job.state == JobState::kRunning) entry->second.cancelled->store(true);
    if (job.state == JobState::kQueued) {
      job.state = entry->second.job.state = JobState::kCancelled;
      job.finished_at = entry->second.job.finished_at = Now();
    } else if (job.state != JobState::kRunning) {
      return absl::FailedPreconditionError(fmt::format("id: the job is {}", ToString(job.state)));
    }
  }
  if (job.state == JobState::kCancelled) {
    if (absl::Status status = Store(job); !status.ok()) return status;
    std::error_code ignored;
    std::filesystem::remove(DirectoryOf(id) + "/" + kFeedFile, ignored);
  }
  return job;
}

std::optional<Job> Jobs::Find(std::string_view id) const {
  const std::lock_guard lock(mutex_);
  const auto entry = jobs_.find(id);
  if (entry == jobs_.end()) return std::nullopt;
  return entry->second.job;
}

std::vector<Job> Jobs::List() const {
  const std::lock_guard lock(mutex_);
  std::vector<Job> all;
  for (auto entry = jobs_.rbegin(); entry != jobs_.rend(); ++entry) {
    all.push_back(entry->second.job);
  }
  return all;
}

std::vector<std::string> Jobs::QueuedIds() const {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> ids;
  for (const auto& [id, entry] : jobs_) {
    if (entry.job.state == JobState::kQueued) ids.push_back(id);
  }
  return ids;
}

absl::StatusOr<std::string> Jobs::ReadPart(std::string_view id, const char* file,
                                           JobFileMark Job::*mark) const {
  const auto job = Find(id);
  if (!job) return NoSuchJob();
  return ReadMarked(DirectoryOf(id) + "/" + file, (*job).*mark);
}

absl::StatusOr<std::string> Jobs::ReadResults(std::string_view id) const {
  return ReadPart(id, kResultsFile, &Job::results);
}

absl::StatusOr<std::string> Jobs::ReadDeadLetters(std::string_view id) const {
  return ReadPart(id, kDeadLettersFile, &Job::dead_letters);
}

}  // namespace emptor::services
