// One pass: grow and build, write and map, search.
#include "services/bench/lexical_measure.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <utility>
#include <vector>

#include "retrieval/hybrid/passages.h"
#include "retrieval/hybrid/sealed_file.h"
#include "retrieval/lexical/index_builder.h"
#include "retrieval/lexical/ranked_search.h"

namespace emptor::services {
namespace {

using retrieval::InvertedIndex;
using Clock = std::chrono::steady_clock;

double SecondsSince(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// The value that `share` of the times do not exceed.
double Quantile(std::vector<double> times, double share) {
  if (times.empty()) return 0;
  const auto at = static_cast<size_t>(share * static_cast<double>(times.size() - 1));
  std::nth_element(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(at), times.end());
  return times[at];
}

InvertedIndex BuildGrown(const retrieval::Analyzer& analyzer, PassageGrower& grower,
                         size_t passages) {
  retrieval::InvertedIndexBuilder builder{retrieval::Bm25Options{}};
  for (size_t i = 0; i < passages; ++i) {
    const catalog::Product product = grower.Next();
    const retrieval::RecordPassages texts = retrieval::MakePassages(product);
    builder.Add(analyzer, {product.title, product.brand, texts.categories, texts.attributes,
                           product.description});
  }
  return std::move(builder).Seal();
}

absl::StatusOr<InvertedIndex> WriteAndMap(const InvertedIndex& index, const std::string& directory,
                                          double& open_seconds) {
  const retrieval::SealedFileKind kind{.magic = "EMPTORLX", .version = 1, .key = "measure"};
  const std::string path = (std::filesystem::path(directory) / "lexical.idx").string();
  const absl::Status written = retrieval::WriteSealedFile(
      path, kind, [&](const retrieval::SealedPayloadSink& sink) { return index.Write(sink); });
  if (!written.ok()) return written;
  const auto begin = Clock::now();
  const auto payload = retrieval::MapSealedFile(path, kind);
  if (!payload.ok()) return payload.status();
  auto mapped = InvertedIndex::Parse(payload->bytes, payload->owner);
  open_seconds = SecondsSince(begin);
  std::error_code ignored;  // the mapping lives on without a name
  std::filesystem::remove(path, ignored);
  return mapped;
}

/// Times `search` in milliseconds.
template <typename Search>
auto Timed(std::vector<double>& times, Search&& search) {
  const auto begin = Clock::now();
  auto result = search();
  times.push_back(SecondsSince(begin) * 1e3);
  return result;
}

void MeasureSearches(const retrieval::Analyzer& analyzer, const InvertedIndex& index,
                     PassageGrower& grower, const LexicalMeasureOptions& options,
                     LexicalMeasure& measure) {
  const InvertedIndex* const one = &index;
  std::vector<double> pruned, ranked, exhaustive;
  for (size_t q = 0; q < options.queries; ++q) {
    const std::string query = grower.RandomQuery();
    const auto best = Timed(pruned, [&] {
      const auto terms = retrieval::CompileQuery(analyzer, query, {&one, 1});
      return retrieval::SearchPruned(index, terms, options.k, nullptr);
    });
    if (q >= options.compared) continue;
    const auto terms = retrieval::CompileQuery(analyzer, query, {&one, 1});
    Timed(ranked, [&] { return retrieval::SearchRanked(index, terms, options.k, nullptr); });
    const auto want = Timed(exhaustive, [&] {
      return retrieval::SearchExhaustively(index, terms, options.k, nullptr);
    });
    if (best != want) ++measure.differing;
  }
  double total = 0;
  for (const double time : pruned) total += time;
  measure.queries = pruned.size();
  measure.compared = exhaustive.size();
  measure.search_p50_ms = Quantile(pruned, 0.5);
  measure.search_p99_ms = Quantile(pruned, 0.99);
  measure.ranked_p99_ms = Quantile(ranked, 0.99);
  measure.exhaustive_p50_ms = Quantile(exhaustive, 0.5);
  measure.exhaustive_p99_ms = Quantile(exhaustive, 0.99);
  measure.searches_per_second = total > 0 ? static_cast<double>(pruned.size()) * 1e3 / total : 0;
}

}  // namespace

double LexicalMeasure::bytes_per_posting() const {
  return postings == 0 ? 0 : static_cast<double>(bytes) / static_cast<double>(postings);
}

double LexicalMeasure::bytes_per_passage() const {
  return passages == 0 ? 0 : static_cast<double>(bytes) / static_cast<double>(passages);
}

absl::StatusOr<LexicalMeasure> MeasureLexical(PassageGrower& grower,
                                              const LexicalMeasureOptions& options) {
  const auto analyzer = retrieval::Analyzer::Create();
  if (!analyzer.ok()) return analyzer.status();
  LexicalMeasure measure;
  const auto begin = Clock::now();
  InvertedIndex built = BuildGrown(*analyzer, grower, options.passages);
  measure.build_seconds = SecondsSince(begin);
  const auto mapped = WriteAndMap(built, options.directory, measure.open_seconds);
  if (!mapped.ok()) return mapped.status();
  built = InvertedIndex();  // from here on only the mapped bytes
  measure.passages = mapped->record_count();
  measure.terms = mapped->term_count();
  measure.postings = mapped->posting_count();
  measure.bytes = mapped->byte_size();
  MeasureSearches(*analyzer, *mapped, grower, options, measure);
  return measure;
}

std::string FormatLexicalMeasure(const LexicalMeasure& m) {
  return fmt::format(
      "lexical   {} passages, {} terms, {} postings\n"
      "  size      {:.1f} MB: {:.2f} bytes a posting, {:.0f} bytes a passage\n"
      "  build     {:.1f} s, {:.0f} passages/s\n"
      "  open      {:.2f} s\n"
      "  search    p50 {:.3f} ms, p99 {:.3f} ms, {:.0f} searches/s on one thread ({} queries)\n"
      "  with all matches, p99 {:.3f} ms; exhaustive p50 {:.3f} ms, p99 {:.3f} ms\n"
      "  top k as exhaustive scoring: {} of {} queries differ\n",
      m.passages, m.terms, m.postings, static_cast<double>(m.bytes) / 1e6, m.bytes_per_posting(),
      m.bytes_per_passage(), m.build_seconds,
      m.build_seconds > 0 ? static_cast<double>(m.passages) / m.build_seconds : 0, m.open_seconds,
      m.search_p50_ms, m.search_p99_ms, m.searches_per_second, m.queries, m.ranked_p99_ms,
      m.exhaustive_p50_ms, m.exhaustive_p99_ms, m.differing, m.compared);
}

}  // namespace emptor::services
