// Writes a catalog of the test data to standard output as our JSON lines, or judgments as lines of
// query, product id and grade: what `emptor ingest` and `emptor eval retrieval` take.
#include <cstdio>
#include <string>
#include <string_view>

#include "catalog/product_json.h"
#include "tests/support/bestbuy.h"
#include "tests/support/homedepot.h"
#include "tests/support/icecat.h"

namespace {

using emptor::catalog::Product;

absl::StatusOr<std::string> AsLines(const absl::StatusOr<std::vector<Product>>& products) {
  if (!products.ok()) return products.status();
  std::string lines;
  for (const Product& product : *products) lines += ToJson(product) + "\n";
  return lines;
}

absl::StatusOr<std::string> IcecatJudgmentLines() {
  const auto judgments = emptor::testing::ReadIcecatJudgments();
  if (!judgments.ok()) return judgments.status();
  std::string lines;
  for (const auto& each : *judgments) {
    lines += each.query + "\t" + each.product_id + "\t" + std::to_string(each.rating) + "\n";
  }
  return lines;
}

absl::StatusOr<std::string> Read(std::string_view name) {
  if (name == "icecat") return AsLines(emptor::testing::ReadIcecatProducts());
  if (name == "bestbuy") return AsLines(emptor::testing::ReadBestBuyProducts());
  if (name == "homedepot") return AsLines(emptor::testing::ReadHomedepotProducts());
  if (name == "icecat-judgments") return IcecatJudgmentLines();
  if (name == "homedepot-judgments") return emptor::testing::ReadHomedepotJudgments();
  if (name == "homedepot-judgments-600") return emptor::testing::ReadHomedepotJudgments(600);
  return absl::InvalidArgumentError(
      "usage: emptor_dataset_to_jsonl icecat|bestbuy|homedepot|icecat-judgments|"
      "homedepot-judgments|homedepot-judgments-600");
}

}  // namespace

int main(int argc, char** argv) {
  const auto text = Read(argc == 2 ? argv[1] : "");
  if (!text.ok()) {
    std::fprintf(stderr, "%s\n", std::string(text.status().message()).c_str());
    return absl::IsInvalidArgument(text.status()) ? 2 : 1;
  }
  std::fputs(text->c_str(), stdout);
  return std::fflush(stdout) == 0 ? 0 : 1;
}
