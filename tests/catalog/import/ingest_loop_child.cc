// Child of kill9_test and write_faults_test: imports generated products and tells each line that
// was acknowledged, until an error or the last line. After an error it tells how many records can
// still be read, and whether another write is taken. Usage: catalog_ingest_loop STORE FIRST_NUMBER
// [LINES]
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "catalog/import/importer.h"

namespace {

using emptor::catalog::ImportBatch;
using emptor::catalog::LineResult;

constexpr int kProducts = 200;

// One number in several places of the record, so that a half record would show.
std::string MakeLine(long number) {
  emptor::catalog::Product product;
  product.id = "p" + std::to_string(number % kProducts);
  product.title = "Version " + std::to_string(number);
  product.price = emptor::catalog::Money{number, "USD"};
  product.description = std::string(static_cast<size_t>(number % 700), 'd');
  product.attributes = {{"number", std::to_string(number)}};
  return emptor::catalog::ToJson(product) + "\n";
}

int TellWhatIsLeft(emptor::catalog::ProductStore& store, const absl::Status& error) {
  int read = 0, failed = 0;
  for (int i = 0; i < kProducts; ++i) {
    const auto product = store.Find("p" + std::to_string(i));
    read += product.ok();
    failed += !product.ok();
  }
  emptor::catalog::StoreBatch batch;
  batch.metadata.push_back({"note", "written after an error"});
  const bool is_taken = store.Write(batch).ok();
  std::printf("stopped %s\nread %d failed %d\nthen %s\n", error.ToString().c_str(), read, failed,
              is_taken ? "taken" : "refused");
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3 && argc != 4) return 2;
  const auto store = emptor::catalog::ProductStore::Open(
      argv[1], {.create_if_missing = true, .write_buffer_bytes = 64u << 10});
  if (!store.ok()) {
    std::printf("refused %s\n", store.status().ToString().c_str());
    return 1;
  }
  long number = std::atol(argv[2]);
  const long first = number, last = argc == 4 ? first + std::atol(argv[3]) : LONG_MAX;
  std::mutex mutex;
  emptor::catalog::Importer importer(
      **store, mutex, {.batch_lines = 8},
      [&](ImportBatch& batch) {
        for (auto& put : batch.changes.puts) put.stored_embedding = put.product.title;
        return (*store)->Write(batch.changes);
      },
      [&](const LineResult& result) {
        std::printf("acknowledged %ld %s\n", first + static_cast<long>(result.line) - 1,
                    std::string(ToString(result.status)).c_str());
      });
  const auto reader = emptor::catalog::MakeFeedReader(
      {.format = emptor::catalog::FeedFormat::kJsonl},
      [&](emptor::catalog::FeedRow&& row) { return importer.Take(std::move(row)); });
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  absl::Status status;
  while (status.ok() && number < last) status = reader->Push(MakeLine(number++));
  if (status.ok()) status = importer.Flush();
  return status.ok() ? 0 : TellWhatIsLeft(**store, status);
}
