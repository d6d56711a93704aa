// Options as text, jobs as JSON.
#include "services/ingest/job.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "catalog/feed/amount.h"
#include "catalog/feed/column_mapping.h"
#include "catalog/validation.h"

namespace emptor::services {
namespace {

using catalog::ImportReport;
using catalog::JsonValue;

constexpr std::array<std::string_view, 5> kStates = {"queued", "running", "done", "failed",
                                                     "cancelled"};
constexpr size_t kMaxText = 64;

absl::Status Expected(std::string_view field, std::string_view what, std::string_view found) {
  return absl::InvalidArgumentError(
      fmt::format("{}: expected {}, found \"{}\"", field, what, found.substr(0, kMaxText)));
}

absl::Status SetShrinkLimit(std::string_view text, double& limit) {
  std::string_view number = text;
  const bool percent = number.ends_with('%');
  if (percent) number.remove_suffix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
  if (percent) value /= 100;
  if (error != std::errc() || end != number.data() + number.size() || !(value >= 0 && value <= 1)) {
    return Expected("shrink_limit", "a share from 0 to 1 or a percentage", text);
  }
  limit = value;
  return absl::OkStatus();
}

absl::Status SetShort(std::string_view name, std::string_view value, std::string& out) {
  if (value.size() > kMaxText) return Expected(name, "at most 64 bytes", value);
  out = std::string(value);
  return absl::OkStatus();
}

struct Count {
  const char* name;
  uint64_t ImportReport::*member;
};
constexpr Count kCounts[] = {{"lines", &ImportReport::lines},
                             {"created", &ImportReport::created},
                             {"updated", &ImportReport::updated},
                             {"unchanged", &ImportReport::unchanged},
                             {"deleted", &ImportReport::deleted},
                             {"errors", &ImportReport::errors},
                             {"warnings", &ImportReport::warnings},
                             {"removed", &ImportReport::removed},
                             {"duplicates", &ImportReport::duplicates},
                             {"embeddings_skipped", &ImportReport::embeddings_skipped},
                             {"bytes", &ImportReport::bytes}};

struct Mark {
  const char *bytes, *crc;
  JobFileMark Job::*member;
  bool is_always_told;
};
constexpr Mark kMarks[] = {{"results_bytes", "results_crc32", &Job::results, true},
                           {"dead_letters_bytes", "dead_letters_crc32", &Job::dead_letters, true},
                           {"kept_feed_bytes", "kept_feed_crc32", &Job::feed, false}};

/// Reads members of a stored job; what is missing stays as it is.
class JobReader {
 public:
  explicit JobReader(const JsonValue& value) : value_(value) {}

  void Text(const char* name, std::string& out) {
    const JsonValue* member = value_.Find(name);
    if (member != nullptr && member->is_string()) out = member->as_string();
    if (member != nullptr && !member->is_string()) Fail(name, "a string");
  }
  void Number(const char* name, uint64_t& out) {
    const JsonValue* member = value_.Find(name);
    if (member == nullptr) return;
    if (!member->is_int() || member->as_int() < 0) return Fail(name, "a count");
    out = static_cast<uint64_t>(member->as_int());
  }
  void Texts(const char* name, std::vector<std::string>& out) {
    const JsonValue* member = value_.Find(name);
    if (member == nullptr) return;
    if (!member->is_array()) return Fail(name, "a list");
    for (const JsonValue& each : member->as_array()) {
      if (!each.is_string()) return Fail(name, "a list of strings");
      out.push_back(each.as_string());
    }
  }
  void Seconds(const char* name, double& out) {
    const JsonValue* member = value_.Find(name);
    if (member == nullptr) return;
    if (!member->is_number()) return Fail(name, "a number");
    out = member->as_double();
  }
  void Fail(std::string_view name, std::string_view what) {
    if (status_.ok()) {
      status_ = absl::InvalidArgumentError(fmt::format("job: {}: expected {}", name, what));
    }
  }
  const absl::Status& status() const { return status_; }

 private:
  const JsonValue& value_;
  absl::Status status_;
};

}  // namespace

absl::Status SetJobOption(std::string_view name, std::string_view value, JobSpec& spec) {
  if (name == "mode") {
    const auto mode = catalog::ParseImportMode(value);
    if (!mode) return Expected(name, "upsert, create, update, delete or replace", value);
    spec.mode = *mode;
  } else if (name == "format") {
    const auto format = catalog::ParseFeedFormat(value);
    if (!format) {
      return Expected(name, "auto, jsonl, google-tsv, google-xml, shopify-csv, jsonld or csv",
                      value);
    }
    spec.feed.format = *format;
  } else if (name == "currency") {
    return SetShort(name, value, spec.feed.currency);
  } else if (name == "locale") {
    return SetShort(name, value, spec.feed.locale);
  } else if (name == "columns") {
    return catalog::SetColumns(value, spec.feed);
  } else if (name == "dry_run") {
    if (value != "true" && value != "false") return Expected(name, "true or false", value);
    spec.dry_run = value == "true";
  } else if (name == "strict") {
    if (value != "true" && value != "false") return Expected(name, "true or false", value);
    spec.strict = value == "true";
  } else if (name == "screen") {
    spec.screen = catalog::ParseScreenPolicy(value);
    if (!spec.screen) return Expected(name, "off, flag or quarantine", value);
  } else if (name == "shrink_limit") {
    return SetShrinkLimit(value, spec.shrink_limit);
  } else if (name == "dedupe") {
    const auto dedupe = catalog::ParseDedupeMode(value);
    if (!dedupe) return Expected(name, "off, report or skip", value);
    spec.dedupe = *dedupe;
  } else {
    return absl::InvalidArgumentError(fmt::format("{}: unknown option", name.substr(0, kMaxText)));
  }
  return absl::OkStatus();
}

absl::Status CheckFeedOptions(const catalog::FeedOptions& feed) {
  if (!feed.currency.empty() && !catalog::IsKnownCurrency(feed.currency)) {
    return Expected("currency", "a currency of ISO 4217", feed.currency);
  }
  if (!feed.locale.empty() && !catalog::IsValidLocale(feed.locale)) {
    return Expected("locale", "a tag like en-US", feed.locale);
  }
  return absl::OkStatus();
}

std::vector<std::pair<std::string, std::string>> JobOptions(const JobSpec& spec) {
  std::vector<std::pair<std::string, std::string>> options;
  const JobSpec defaults;
  const auto add = [&](const char* name, std::string value) {
    options.emplace_back(name, std::move(value));
  };
  add("mode", std::string(ToString(spec.mode)));
  if (spec.feed.format != defaults.feed.format) {
    add("format", std::string(ToString(spec.feed.format)));
  }
  if (!spec.feed.currency.empty()) add("currency", spec.feed.currency);
  if (!spec.feed.locale.empty()) add("locale", spec.feed.locale);
  if (std::string columns = catalog::ColumnsText(spec.feed); !columns.empty()) {
    add("columns", std::move(columns));
  }
  if (spec.dry_run) add("dry_run", "true");
  if (spec.strict) add("strict", "true");
  if (spec.screen) add("screen", std::string(ToString(*spec.screen)));
  if (spec.dedupe != defaults.dedupe) add("dedupe", std::string(ToString(spec.dedupe)));
  if (spec.shrink_limit != defaults.shrink_limit) {
    add("shrink_limit", fmt::format("{}", spec.shrink_limit));
  }
  return options;
}

std::string_view ToString(JobState state) { return kStates.at(static_cast<size_t>(state)); }

std::string ToJson(const Job& job) {
  catalog::JsonWriter writer;
  writer.BeginObject().Member("id", job.id).Member("state", ToString(job.state));
  const auto text = [&](const char* name, const std::string& value) {
    if (!value.empty()) writer.Member(name, value);
  };
  writer.Key("options").BeginObject();
  for (const auto& [name, value] : JobOptions(job.spec)) writer.Member(name, value);
  writer.EndObject();
  text("source", job.spec.source);
  text("idempotency_key", job.spec.idempotency_key);
  text("sha256", job.spec.digest);
  writer.Member("feed_bytes", job.spec.bytes);
  text("created_at", job.created_at);
  text("finished_at", job.finished_at);
  writer.Member("seconds", job.seconds).Member("offset", job.offset);
  writer.Key("report").BeginObject();
  for (const Count& count : kCounts) writer.Member(count.name, job.report.*count.member);
  writer.EndObject();
  for (const Mark& mark : kMarks) {
    const JobFileMark& file = job.*mark.member;
    if (mark.is_always_told || file.bytes > 0) writer.Member(mark.bytes, file.bytes);
    if (file.crc && file.bytes > 0) writer.Member(mark.crc, uint64_t{*file.crc});
  }
  if (!job.notes.empty()) {
    writer.Key("notes").BeginArray();
    for (const std::string& note : job.notes) writer.String(note);
    writer.EndArray();
  }
  if (!job.error.empty()) {
    writer.Key("error").BeginObject().Member("code", job.error_code).Member("message", job.error);
    writer.EndObject();
  }
  return writer.EndObject().Take();
}

absl::StatusOr<Job> ParseJob(std::string_view json) {
  const auto value = catalog::ParseJson(json);
  if (!value.ok()) return value.status();
  Job job;
  JobReader reader(*value);
  reader.Text("id", job.id);
  if (!catalog::IsValidId(job.id)) reader.Fail("id", "an id");
  std::string state;
  reader.Text("state", state);
  const auto* found = std::find(kStates.begin(), kStates.end(), state);
  if (found == kStates.end()) {
    reader.Fail("state", "a state");
  } else {
    job.state = static_cast<JobState>(found - kStates.begin());
  }
  const JsonValue* options = value->Find("options");
  if (options == nullptr || !options->is_object()) reader.Fail("options", "an object");
  if (!reader.status().ok()) return reader.status();
  for (const catalog::JsonMember& option : options->as_object()) {
    if (!option.value.is_string()) return Expected(option.name, "a string", "another value");
    const absl::Status set = SetJobOption(option.name, option.value.as_string(), job.spec);
    if (!set.ok()) return set;
  }
  reader.Text("source", job.spec.source);
  reader.Text("idempotency_key", job.spec.idempotency_key);
  reader.Text("sha256", job.spec.digest);
  reader.Number("feed_bytes", job.spec.bytes);
  reader.Text("created_at", job.created_at);
  reader.Text("finished_at", job.finished_at);
  reader.Seconds("seconds", job.seconds);
  reader.Number("offset", job.offset);
  for (const Mark& mark : kMarks) {
    JobFileMark& file = job.*mark.member;
    reader.Number(mark.bytes, file.bytes);
    uint64_t crc = UINT64_MAX;
    reader.Number(mark.crc, crc);
    if (crc <= UINT32_MAX) file.crc = static_cast<uint32_t>(crc);
  }
  reader.Texts("notes", job.notes);
  absl::Status status = reader.status();
  if (const JsonValue* report = value->Find("report"); report != nullptr && status.ok()) {
    JobReader counts(*report);
    for (const Count& count : kCounts) counts.Number(count.name, job.report.*count.member);
    status = counts.status();
  }
  if (const JsonValue* error = value->Find("error"); error != nullptr && status.ok()) {
    JobReader why(*error);
    why.Text("code", job.error_code);
    why.Text("message", job.error);
    status = why.status();
  }
  if (!status.ok()) return status;
  return job;
}

}  // namespace emptor::services
