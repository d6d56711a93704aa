// Child of job_kill_test: goes on with the job on a feed, or begins it, and tells each row that is
// done. Usage: services_job_child SHOP FEED MODE
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "retrieval/embedding/hashing_embedder.h"
#include "services/ingest/jobs.h"
#include "services/shop/shop.h"

namespace {

using namespace emptor::services;

int Refuse(const absl::Status& status) {
  std::printf("refused %s\n", status.ToString().c_str());
  return 1;
}

int Run(const std::string& directory, const std::string& feed_path, const char* mode) {
  std::filesystem::create_directories(directory);
  const emptor::retrieval::HashingEmbedder embedder(16);
  ShopOptions options;
  options.directory = directory;
  options.create_if_missing = true;
  const auto shop = Shop::Open(options, embedder);
  if (!shop.ok()) return Refuse(shop.status());
  const auto jobs =
      Jobs::Open((*shop)->writer(), {.directory = directory + "/jobs", .batch_lines = 8});
  if (!jobs.ok()) return Refuse(jobs.status());
  JobSpec spec;
  spec.digest = std::filesystem::path(feed_path).filename();
  if (absl::Status status = SetJobOption("mode", mode, spec); !status.ok()) return Refuse(status);
  if (absl::Status status = SetJobOption("shrink_limit", "0.5", spec); !status.ok()) return 2;
  const auto resumed = (*jobs)->Resume(spec);
  if (!resumed.ok()) return Refuse(resumed.status());
  std::string id = resumed->has_value() ? (*resumed)->id : "";
  if (id.empty()) {
    const auto started = (*jobs)->Start(spec);
    if (!started.ok()) return Refuse(started.status());
    id = started->job.id;
  }
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  std::ifstream feed(feed_path, std::ios::binary);
  int rows = 0;
  const auto job = (*jobs)->Run(
      id, feed, [&](const emptor::catalog::LineResult&) { std::printf("row %d\n", ++rows); });
  if (!job.ok()) return Refuse(job.status());
  std::printf("%s %s\n", std::string(ToString(job->state)).c_str(), job->error.c_str());
  return 0;
}

}  // namespace

int main(int argc, char** argv) { return argc == 4 ? Run(argv[1], argv[2], argv[3]) : 2; }
