// emptor bench ingest: how fast a catalog and its prices become searchable.
#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <memory>
#include <random>
#include <sstream>

#include "catalog/product_json.h"
#include "services/app/service_parts.h"
#include "services/cli/commands.h"
#include "services/ingest/jobs.h"

namespace emptor::services {
namespace {

struct BenchIngestCommand {
  int products = 20000;  // of the generated catalog
  int rounds = 3;        // of price updates
  bool json = false;
};

using std::chrono::steady_clock;

double ProcessorSeconds() {
  timespec time{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

/// A generated catalog: about 1.2 KB a product, 12 attributes, words drawn by their rank as in real
/// text. Equal numbers give equal products.
std::string MakeProducts(int count) {
  std::mt19937_64 random(7);
  const auto word = [&] {
    const double draw = static_cast<double>(random() % 1000000 + 1) / 1000000;
    return fmt::format("w{}", static_cast<int>(20000 * draw * draw * draw));
  };
  const auto words = [&](int number) {
    std::string text = word();
    for (int i = 1; i < number; ++i) text += " " + word();
    return text;
  };
  std::string feed;
  for (int i = 0; i < count; ++i) {
    catalog::Product product;
    product.id = fmt::format("p{}", i);
    product.title = words(8);
    product.brand = fmt::format("Brand{}", random() % 500);
    product.description = words(60);
    product.mpn = fmt::format("M-{}", i);
    product.price = catalog::Money{static_cast<int64_t>(random() % 100000 + 1), "USD"};
    product.categories = {fmt::format("Category {} > Part {}", random() % 20, random() % 10)};
    for (int k = 0; k < 12; ++k) {
      product.attributes.push_back({fmt::format("attribute {}", k), words(2)});
    }
    feed += ToJson(product) + "\n";
  }
  return feed;
}

std::string MakePrices(int count, int round) {
  std::string feed;
  for (int i = 0; i < count; ++i) {
    feed += fmt::format("{{\"id\":\"p{}\",\"price\":{{\"amount\":{},\"currency\":\"USD\"}}}}\n", i,
                        200000 + round * 1000 + i % 1000);
  }
  return feed;
}

struct Measure {
  std::string name;
  uint64_t rows = 0;
  double seconds = 0, processor = 0;
};

absl::StatusOr<Measure> RunJob(Jobs& jobs, const std::string& name, catalog::ImportMode mode,
                               const std::string& feed) {
  JobSpec spec;
  spec.mode = mode;
  spec.bytes = feed.size();
  const auto begun = steady_clock::now();
  const double processor = ProcessorSeconds();
  const auto started = jobs.Start(spec);
  if (!started.ok()) return started.status();
  std::istringstream stream(feed);
  const auto job = jobs.Run(started->job.id, stream, nullptr);
  if (!job.ok()) return job.status();
  if (job->state != JobState::kDone || job->report.errors > 0) {
    return absl::InternalError(name + ": " + ToJson(*job));
  }
  return Measure{name, job->report.lines,
                 std::chrono::duration<double>(steady_clock::now() - begun).count(),
                 ProcessorSeconds() - processor};
}

void Print(const Measure& measure, bool json) {
  const double rows = static_cast<double>(measure.rows);
  if (json) {
    catalog::JsonWriter writer;
    writer.BeginObject().Member("measure", measure.name).Member("rows", measure.rows);
    writer.Member("seconds", measure.seconds).Member("processor_seconds", measure.processor);
    writer.Member("rows_per_second", rows / measure.seconds);
    writer.Member("rows_per_processor_second", rows / measure.processor).EndObject();
    std::printf("%s\n", writer.text().c_str());
  } else {
    std::printf("%-22s %9llu %9.2f %11.2f %11.0f %18.0f\n", measure.name.c_str(),
                static_cast<unsigned long long>(measure.rows), measure.seconds, measure.processor,
                rows / measure.seconds, rows / measure.processor);
  }
  std::fflush(stdout);
}

absl::Status Run(const Config& config, const BenchIngestCommand& command) {
  const auto shops = OpenShop(config, /*create_if_missing=*/true);
  if (!shops.ok()) return shops.status();
  JobsOptions options;
  options.directory = config.data_dir + "/jobs";
  auto jobs = Jobs::Open(shops->shop->writer(), options);
  if (!jobs.ok()) return jobs.status();
  if (!command.json) {
    std::printf("%-22s %9s %9s %11s %11s %18s\n", "", "rows", "seconds", "processor s", "rows/s",
                "rows/processor s");
  }
  using Mode = catalog::ImportMode;
  const std::string products = MakeProducts(command.products);
  auto measure = RunJob(**jobs, "text and vectors", Mode::kUpsert, products);
  if (!measure.ok()) return measure.status();
  Print(*measure, command.json);
  for (int round = 0; round < command.rounds; ++round) {
    measure = RunJob(**jobs, "prices", Mode::kUpdate, MakePrices(command.products, round));
    if (!measure.ok()) return measure.status();
    Print(*measure, command.json);
  }
  measure = RunJob(**jobs, "whole, new prices", Mode::kUpsert, products);
  if (measure.ok()) Print(*measure, command.json);
  if (measure.ok()) measure = RunJob(**jobs, "whole, unchanged", Mode::kUpsert, products);
  if (measure.ok()) Print(*measure, command.json);
  return measure.status();
}

int RunBenchIngest(const Config& config, const BenchIngestCommand& command) {
  Config own = config;
  std::error_code error;
  own.data_dir = (std::filesystem::temp_directory_path(error) /
                  fmt::format("emptor-bench-ingest-{}", ::getpid()))
                     .string();
  const absl::Status status = Run(own, command);
  std::filesystem::remove_all(own.data_dir, error);
  return status.ok() ? 0 : Fail(status);
}

}  // namespace

void AddBenchIngestCommand(Command bench, SettingFlags& settings) {
  const auto options = std::make_shared<BenchIngestCommand>();
  const Command command = bench.AddCommand("ingest", "speed of importing a generated catalog");
  settings.AddForSearch(command);
  command.Add("--products", options->products, "products of the catalog")
      .Range(1, 10'000'000)
      .Default("20000");
  command.Add("--rounds", options->rounds, "rounds of price updates").Range(0, 1000).Default("3");
  command.AddSwitch("--json", options->json, "a line of JSON for each measure");
  settings.OnRun(command,
                 [options](const Config& config) { return RunBenchIngest(config, *options); });
}

}  // namespace emptor::services
