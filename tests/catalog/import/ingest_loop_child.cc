// Child of kill9_test: imports generated products for ever and tells each line that was
// acknowledged. Usage: catalog_ingest_loop STORE FIRST_NUMBER
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

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const auto store = emptor::catalog::ProductStore::Open(
      argv[1], {.create_if_missing = true, .write_buffer_bytes = 64u << 10});
  if (!store.ok()) {
    std::printf("refused %s\n", store.status().ToString().c_str());
    return 1;
  }
  long number = std::atol(argv[2]);
  const long first = number;
  std::mutex mutex;
  emptor::catalog::Importer importer(
      **store, mutex, {.batch_lines = 8},
      [&](ImportBatch& batch) {
        for (auto& put : batch.changes.puts) put.index_entry = put.product.title;
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
  while (true) {
    const auto pushed = reader->Push(MakeLine(number++));
    if (!pushed.ok()) {
      std::printf("stopped %s\n", pushed.ToString().c_str());
      return 1;
    }
  }
}
