// Writes a catalog of the test data to standard output as our JSON lines, judgments as lines of
// query, product id and grade, or queries as JSON lines: what `emptor ingest`, `emptor eval
// retrieval` and `serve_load` take.
#include <cstdio>
#include <set>
#include <string>
#include <string_view>

#include "catalog/encoding/json.h"
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

std::string QuestionLine(std::string_view query) {
  emptor::catalog::JsonWriter line;
  line.BeginObject().Member("question", query).EndObject();
  return line.Take() + "\n";
}

/// Each judged query once.
absl::StatusOr<std::string> IcecatQueryLines() {
  const auto judgments = emptor::testing::ReadIcecatJudgments();
  if (!judgments.ok()) return judgments.status();
  std::set<std::string> queries;
  for (const auto& each : *judgments) queries.insert(each.query);
  std::string lines;
  for (const std::string& query : queries) lines += QuestionLine(query);
  return lines;
}

/// The first three words of every hundredth title, for a data set without queries.
absl::StatusOr<std::string> TitleQueryLines(const absl::StatusOr<std::vector<Product>>& products) {
  if (!products.ok()) return products.status();
  std::string lines;
  for (size_t i = 0; i < products->size(); i += 100) {
    const std::string& title = (*products)[i].title;
    size_t end = 0;
    for (int words = 0; words < 3 && end != std::string::npos; ++words) {
      end = title.find(' ', end + 1);
    }
    lines += QuestionLine(std::string_view(title).substr(0, end));
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
  if (name == "icecat-queries") return IcecatQueryLines();
  if (name == "bestbuy-queries") return TitleQueryLines(emptor::testing::ReadBestBuyProducts());
  return absl::InvalidArgumentError(
      "usage: emptor_dataset_to_jsonl icecat|bestbuy|homedepot|icecat-judgments|"
      "homedepot-judgments|homedepot-judgments-600|icecat-queries|bestbuy-queries");
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
