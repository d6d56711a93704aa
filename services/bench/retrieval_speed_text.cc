// Tables and JSON of the search's speed.
#include <fmt/format.h>

#include "catalog/encoding/json.h"
#include "services/bench/retrieval_speed.h"

namespace emptor::services {
namespace {

std::string Row(const std::string& name, const SearchTimes& times, const std::string& note) {
  return fmt::format("  {:<28}{:>9.2f}{:>9.2f}{:>9.2f}{:>11.2f}{:>11.0f}  {}\n", name, times.p50_ms,
                     times.p99_ms, times.most_ms, times.processor_ms, times.per_second, note);
}

void AddTimes(const SearchTimes& times, catalog::JsonWriter& writer) {
  writer.BeginObject()
      .Member("threads", times.threads)
      .Member("p50_ms", times.p50_ms)
      .Member("p99_ms", times.p99_ms)
      .Member("most_ms", times.most_ms)
      .Member("processor_ms", times.processor_ms)
      .Member("searches_per_second", times.per_second)
      .Member("matched", times.matched)
      .EndObject();
}

}  // namespace

std::string RetrievalSpeedTable(const RetrievalSpeedReport& report) {
  std::string text = fmt::format(
      "{} passages, {} numbers each\n"
      "  embedding {:.1f} s ({:.1f} s of processor time), building {:.1f} s ({:.1f} s), "
      "dictionary {:.1f} s\n"
      "  memory {:.0f} bytes a passage (index and dictionary count {:.0f})\n"
      "  {:<28}{:>9}{:>9}{:>9}{:>11}{:>11}\n",
      report.passages, report.dimension, report.embed_seconds, report.embed_processor_seconds,
      report.build_seconds, report.build_processor_seconds, report.dictionary_seconds,
      report.bytes_per_passage, report.counted_per_passage, "milliseconds", "p50", "p99", "most",
      "processor", "searches/s");
  for (const SearchTimes& times : report.hybrid) {
    text += Row(fmt::format("hybrid, {} thread{}", times.threads, times.threads == 1 ? "" : "s"),
                times, "");
  }
  text += Row("vectors alone", report.vectors, "");
  text += Row("words alone", report.words, "");
  for (const FilteredSearch& filtered : report.filtered) {
    text += Row(fmt::format("hybrid, {:g} % allowed", 100 * filtered.share), filtered.times,
                fmt::format("vector recall@10 {:.4f}, {:.0f} % by scan, {} short answers",
                            filtered.recall_at_10, 100 * filtered.scanned, filtered.short_answers));
  }
  return text;
}

std::string RetrievalSpeedJson(const RetrievalSpeedReport& report) {
  catalog::JsonWriter writer;
  writer.BeginObject()
      .Member("bench", "retrieval")
      .Member("passages", report.passages)
      .Member("embedder", report.embedder)
      .Member("dimension", report.dimension)
      .Member("embed_seconds", report.embed_seconds)
      .Member("embed_processor_seconds", report.embed_processor_seconds)
      .Member("build_seconds", report.build_seconds)
      .Member("build_processor_seconds", report.build_processor_seconds)
      .Member("dictionary_seconds", report.dictionary_seconds)
      .Member("bytes_per_passage", report.bytes_per_passage)
      .Member("counted_per_passage", report.counted_per_passage);
  writer.Key("hybrid").BeginArray();
  for (const SearchTimes& times : report.hybrid) AddTimes(times, writer);
  writer.EndArray();
  writer.Key("vectors");
  AddTimes(report.vectors, writer);
  writer.Key("words");
  AddTimes(report.words, writer);
  writer.Key("filtered").BeginArray();
  for (const FilteredSearch& filtered : report.filtered) {
    writer.BeginObject()
        .Member("share", filtered.share)
        .Member("recall_at_10", filtered.recall_at_10)
        .Member("scanned", filtered.scanned)
        .Member("short_answers", filtered.short_answers);
    writer.Key("times");
    AddTimes(filtered.times, writer);
    writer.EndObject();
  }
  writer.EndArray();
  writer.EndObject();
  return writer.Take();
}

}  // namespace emptor::services
