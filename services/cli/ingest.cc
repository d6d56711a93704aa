// emptor ingest: in this process, or through the service that holds the data directory.
#include <fmt/format.h>

#include <memory>
#include <utility>

#include "services/app/service_parts.h"
#include "services/cli/commands.h"
#include "services/cli/ingest_command.h"
#include "services/cli/ingest_documents.h"
#include "services/cli/ingest_feeds.h"
#include "services/cli/ingest_progress.h"
#include "services/cli/ingest_through.h"
#include "services/ingest/job_files.h"
#include "services/ingest/jobs.h"

namespace emptor::services {
namespace {

using catalog::ImportReport;

constexpr uint64_t kRowsPerDraw = 256;

absl::StatusOr<std::string> QueueJob(Jobs& jobs, const JobSpec& spec, bool resume) {
  if (resume) {
    const auto job = jobs.Resume(spec);
    if (!job.ok()) return job.status();
    if (job->has_value()) {
      std::fprintf(stderr, "%s: continues after line %llu\n", (*job)->id.c_str(),
                   static_cast<unsigned long long>((*job)->report.lines));
      return (*job)->id;
    }
  }
  const auto started = jobs.Start(spec);
  if (!started.ok()) return started.status();
  return started->job.id;
}

absl::Status IngestHere(Jobs& jobs, const std::vector<Feed>& feeds, JobSpec spec, bool resume,
                        IngestProgress& progress, ImportReport& total) {
  for (const Feed& feed : feeds) {
    spec.source = feed.name;
    if (absl::Status status = Identify(feed, spec); !status.ok()) return status;
    const auto id = QueueJob(jobs, spec, resume);
    if (!id.ok()) return id.status();
    const auto stream = OpenFeed(feed);
    if (!stream.ok()) return stream.status();
    uint64_t rows = total.lines, position = 0;
    const auto job = jobs.Run(*id, **stream, [&](const catalog::LineResult& result) {
      if (result.status == catalog::LineStatus::kError) {
        progress.Error(feed.name, result.line, result.message);
      }
      if (++rows % kRowsPerDraw != 0) return;
      const auto at = static_cast<std::streamoff>((*stream)->tellg());
      const uint64_t offset = at < 0 ? spec.bytes : static_cast<uint64_t>(at);
      progress.Advance(offset - position, rows);
      position = offset;
    });
    if (!job.ok()) return job.status();
    catalog::AddReport(job->report, total);
    for (const std::string& note : job->notes) progress.PrintLine(feed.name + ": " + note);
    if (job->dead_letters.bytes > 0) {
      progress.PrintLine(
          fmt::format("{}: refused rows: {}/{}", *id, jobs.DirectoryOf(*id), kDeadLettersFile));
    }
    if (job->report.warnings > 0) {
      progress.PrintLine(fmt::format("{}: dropped fields and other warnings: {}/{}", *id,
                                     jobs.DirectoryOf(*id), kResultsFile));
    }
    if (job->state != JobState::kDone)
      return absl::FailedPreconditionError(*id + ": " + job->error);
  }
  return absl::OkStatus();
}

int RunIngest(const Config& config, const IngestCommand& command) {
  if (absl::Status status = CheckDocumentCommand(command); !status.ok()) return Fail(status);
  auto spec = SpecOf(command);
  if (!spec.ok()) return Fail(spec.status());
  const ServiceTarget target = FindTarget(command.to, config);
  const auto feeds = FeedsOf(command, target.url.empty(), *spec);
  if (!feeds.ok()) return Fail(feeds.status());
  uint64_t bytes = 0;
  for (const Feed& feed : *feeds) bytes += SizeOf(feed);
  IngestProgress progress(bytes);
  ImportReport total;
  absl::Status status;
  if (target.url.empty()) {
    const auto shops = OpenShop(config, /*create_if_missing=*/true);
    if (!shops.ok()) return FailForShop(config, shops.status());
    JobsOptions options;
    options.directory = shops->shop->directory() + "/jobs";
    auto jobs = Jobs::Open(shops->shop->writer(), options);
    if (!jobs.ok()) return Fail(jobs.status());
    status = IngestHere(**jobs, *feeds, *spec, command.resume, progress, total);
  } else {
    status = IngestThrough(target, *feeds, *spec, command.resume, progress, total);
  }
  progress.Finish(total);
  if (!status.ok()) return FailForShop(config, status);
  return total.errors == 0 ? 0 : 1;
}

/// The flags that become options of the job.
void AddJobOptions(Command command, IngestCommand& ingest) {
  struct Row {
    const char* flag;
    const char* option;
    const char* help;
  };
  const Row rows[] = {
      {"--mode", "mode", "upsert (default), create, update, delete or replace"},
      {"--format", "format",
       "auto (default), jsonl, google-tsv, google-xml, shopify-csv, jsonld or csv"},
      {"--columns", "columns",
       "columns of a plain CSV: Column=field,Column=field, or a mapping file (.yaml)"},
      {"--currency", "currency",
       "currency of amounts that name none, such as EUR (that of the shop's prices)"},
      {"--locale", "locale", "locale of records that name none"},
      {"--screen", "screen",
       "text that addresses the assistant: off, flag (default) or quarantine"},
      {"--dedupe", "dedupe", "products that exist under another id: off (default), report or skip"},
      {"--shrink-limit", "shrink_limit", "share of the products that replace may remove (20%)"}};
  for (const Row& row : rows) {
    command.AddText(
        row.flag,
        [&ingest, option = row.option](const std::string& value) {
          ingest.options.emplace_back(option, value);
        },
        row.help);
  }
}

}  // namespace

void AddIngestCommand(Command root, SettingFlags& settings) {
  const auto ingest = std::make_shared<IngestCommand>();
  const Command command = root.AddCommand("ingest", "import a catalog");
  settings.AddForData(command);
  settings.AddShop(command);
  settings.AddApiKey(command);
  command.Add("FILE", ingest->files, "feeds; - is standard input");
  command.Add("--to", ingest->to, "URL of the service that imports the feed");
  command.Add("--retry", ingest->retry, "import the rows of a file of dead letters again");
  command.Add("--documents", ingest->documents,
              "HTML, Markdown, text or PDF files to import as documents");
  command.Add("--kind", ingest->kind, "kind of the documents (guide)")
      .OneOf({"faq", "policy", "guide", "manual", "review"});
  command.Add("--product", ingest->product, "id of the product that the documents describe");
  command.AddSwitch("--dry-run", ingest->dry_run,
                    "check the feed and report what would change; write nothing");
  command.AddSwitch("--resume", ingest->resume, "continue an interrupted import of the same feed");
  command.AddSwitch(
      "--strict", [&options = ingest->options] { options.emplace_back("strict", "true"); },
      "refuse a row instead of repairing it or leaving out a field");
  AddJobOptions(command, *ingest);
  settings.OnRun(
      command, [ingest](const Config& config) { return RunIngest(config, *ingest); },
      [ingest] {
        const bool has_input =
            !ingest->files.empty() || !ingest->retry.empty() || !ingest->documents.empty();
        return has_input ? "" : "FILE, --documents or --retry";
      });
}

}  // namespace emptor::services
