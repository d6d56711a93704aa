// Any bytes as a feed of JSON lines: the rows do not depend on how the bytes were cut, they stand
// in order, and a patch that was taken can be applied.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "catalog/feed/jsonl_reader.h"
#include "catalog/feed/product_patch.h"

namespace {

using emptor::catalog::FeedOptions;
using emptor::catalog::FeedRow;

void Require(bool holds) {
  if (!holds) std::abort();
}

std::vector<FeedRow> Read(std::string_view feed, size_t chunk, bool patches) {
  std::vector<FeedRow> rows;
  FeedOptions options;
  options.patches = patches;
  const auto reader = emptor::catalog::MakeJsonlReader(options, [&](FeedRow&& row) {
    rows.push_back(std::move(row));
    return absl::OkStatus();
  });
  for (size_t begin = 0; begin < feed.size(); begin += chunk) {
    Require(reader->Push(feed.substr(begin, chunk)).ok());
  }
  Require(reader->Finish().ok());
  return rows;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const std::string_view feed(reinterpret_cast<const char*>(data) + 1, size - 1);
  const bool patches = (data[0] & 1) != 0;
  const auto whole = Read(feed, feed.size() + 1, patches);
  const auto cut = Read(feed, 1 + data[0] / 2u, patches);
  Require(whole.size() == cut.size());
  uint64_t line = 0, offset = 0;
  for (size_t i = 0; i < whole.size(); ++i) {
    const FeedRow& row = whole[i];
    Require(row.line > line && row.end_offset > offset && row.end_offset <= feed.size());
    line = row.line;
    offset = row.end_offset;
    Require(row.record.index() == cut[i].record.index() && row.end_offset == cut[i].end_offset);
    Require(row.id == cut[i].id && row.raw == cut[i].raw);
    Require(row.record.index() != 0 || !row.problems.empty());
    if (const auto* patch = std::get_if<emptor::catalog::ProductPatch>(&row.record)) {
      emptor::catalog::Product product;
      Require(emptor::catalog::ApplyPatch(*patch, product).ok());
    }
  }
  return 0;
}
