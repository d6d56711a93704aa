// Tables, JSON lines and pages of the engine's speed.
#include "services/cli/bench_engine_report.h"

#include <algorithm>

#include "catalog/encoding/json.h"
#include "fmt/format.h"
#include "services/bench/html_report.h"

namespace emptor::services {
namespace {

using engine::Arithmetic;
using engine::ArithmeticName;
using engine::kAllArithmetic;
using engine::SpeedCell;
using engine::SpeedReport;
using engine::SpeedRound;
using engine::SpeedWork;
using engine::Summary;

std::string CellName(const SpeedCell& cell) {
  if (cell.work == SpeedWork::kDecode) {
    return fmt::format("decode, {} sequence{} at depth {}", cell.sequences,
                       cell.sequences == 1 ? "" : "s", cell.length);
  }
  const std::string many = cell.sequences == 1 ? "" : fmt::format("{} x ", cell.sequences);
  return fmt::format("prefill, {}{} tokens", many, cell.length);
}

Summary PeakShares(const SpeedReport& report, size_t cell) {
  return report.Over([&](const SpeedRound& round) { return report.PeakShare(cell, round); });
}
Summary BandwidthShares(const SpeedReport& report, size_t cell) {
  return report.Over([&](const SpeedRound& round) { return report.BandwidthShare(cell, round); });
}
Summary Peaks(const SpeedReport& report, Arithmetic arithmetic) {
  return report.Over(
      [&](const SpeedRound& round) { return round.peaks[static_cast<size_t>(arithmetic)]; });
}
/// Tokens of this cell over those of one sequence at the same depth; 0: that was not measured.
Summary TimesOne(const SpeedReport& report, size_t cell) {
  const int one = report.Find(report.cells[cell].work, 1, report.cells[cell].length);
  if (one < 0 || static_cast<size_t>(one) == cell) return {};
  return report.Over([&](const SpeedRound& round) {
    return round.samples[cell].tokens_per_second /
           round.samples[static_cast<size_t>(one)].tokens_per_second;
  });
}

std::string Headline(const SpeedReport& report) {
  return fmt::format("{}: {} MB of weights, mostly {}, {}, {} thread{}, {} rounds", report.model,
                     report.work.weight_bytes / 1'000'000, report.work.type,
                     std::string(engine::IsaName(report.isa)), report.threads,
                     report.threads == 1 ? "" : "s", report.rounds.size());
}

/// Whether the weights are too large for the caches.
bool FitsCache(const SpeedReport& report) {
  return report.work.weight_bytes < 8 * report.cache_bytes;
}

std::string CacheNote(const SpeedReport& report) {
  return fmt::format(
      "the weights are less than 8 times the third-level cache ({} MB): the share of the memory's "
      "read bandwidth means nothing",
      report.cache_bytes / 1'000'000);
}

/// The share of the machine's peak that a cell reaches.
std::string Shares(const SpeedReport& report, size_t cell) {
  const std::string peak =
      fmt::format("{:.0f} % of the {} peak", 100 * PeakShares(report, cell).p50,
                  std::string(ArithmeticName(report.work.arithmetic)));
  if (report.cells[cell].work == SpeedWork::kPrefill) return peak;
  const Summary read =
      report.Over([cell](const SpeedRound& round) { return round.samples[cell].read_bytes; });
  std::string text = fmt::format("{:.0f} % of {:.1f} GB/s", 100 * BandwidthShares(report, cell).p50,
                                 read.p50 / 1e9);
  const Summary times = TimesOne(report, cell);
  if (times.count > 0) text += fmt::format(", {:.2f} x one", times.p50);
  return text;
}

std::vector<Curve> Rates(const SpeedReport& report, SpeedWork work) {
  std::vector<Curve> curves;
  for (size_t i = 0; i < report.cells.size(); ++i) {
    const SpeedCell& cell = report.cells[i];
    if (cell.work != work) continue;
    const std::string name = work == SpeedWork::kDecode
                                 ? fmt::format("depth {}", cell.length)
                                 : fmt::format("prompts of {} tokens", cell.length);
    auto curve = std::find_if(curves.begin(), curves.end(),
                              [&](const Curve& one) { return one.name == name; });
    if (curve == curves.end()) curve = curves.insert(curves.end(), Curve{name, {}});
    curve->points.push_back({cell.sequences, report.Tokens(i).p50});
  }
  for (Curve& curve : curves) std::sort(curve.points.begin(), curve.points.end());
  return curves;
}

void AddSpeedCharts(const SpeedReport& report, HtmlReport& page) {
  std::vector<Bar> rates, shares;
  for (size_t i = 0; i < report.cells.size(); ++i) {
    const Summary tokens = report.Tokens(i);
    const std::string name = CellName(report.cells[i]);
    rates.push_back({name, tokens.p50, tokens.min, tokens.max, ""});
    const bool prefill = report.cells[i].work == SpeedWork::kPrefill;
    const Summary share = prefill ? PeakShares(report, i) : BandwidthShares(report, i);
    const std::string of =
        prefill ? std::string(ArithmeticName(report.work.arithmetic)) + " peak" : "read bandwidth";
    shares.push_back(
        {name + ": of the " + of, 100 * share.p50, 100 * share.min, 100 * share.max, ""});
  }
  page.AddHeading("Speed");
  page.AddBars("tokens/s, median, least and most", rates);
  page.AddHeading("Share of what the machine can do");
  if (FitsCache(report)) page.AddText(CacheNote(report));
  page.AddBars("%, of the same round", shares);
  const std::vector<Curve> decode = Rates(report, SpeedWork::kDecode);
  if (!decode.empty() && decode[0].points.size() > 1) {
    page.AddHeading("Decoding together");
    page.AddCurves({"sequences", "tokens/s of all"}, decode);
  }
  Curve read{"read bandwidth", {}};
  for (size_t i = 0; i < report.rounds.size(); ++i) {
    read.points.push_back({static_cast<double>(i + 1), report.rounds[i].read_bytes / 1e9});
  }
  page.AddHeading("The machine over the run");
  page.AddCurves({"round", "GB/s"}, {read});
}

}  // namespace

std::string SpeedJson(const SpeedReport& report, size_t index) {
  const SpeedRound& round = report.rounds[index];
  catalog::JsonWriter writer;
  writer.BeginObject()
      .Member("bench", "engine")
      .Member("model", report.model)
      .Member("type", report.work.type)
      .Member("isa", std::string(engine::IsaName(report.isa)))
      .Member("threads", report.threads)
      .Member("round", index)
      .Member("weight_bytes", report.work.weight_bytes)
      .Member("cache_bytes", report.cache_bytes)
      .Member("read_bytes_per_second", round.read_bytes);
  writer.Key("peak_operations_per_second").BeginObject();
  for (size_t i = 0; i < kAllArithmetic.size(); ++i) {
    if (round.peaks[i] > 0) writer.Member(ArithmeticName(kAllArithmetic[i]), round.peaks[i]);
  }
  writer.EndObject();
  for (const SpeedWork work : {SpeedWork::kPrefill, SpeedWork::kDecode}) {
    const bool decode = work == SpeedWork::kDecode;
    writer.Key(decode ? "decode" : "prefill").BeginArray();
    for (size_t i = 0; i < report.cells.size(); ++i) {
      if (report.cells[i].work != work) continue;
      writer.BeginObject()
          .Member("sequences", report.cells[i].sequences)
          .Member(decode ? "depth" : "prompt", report.cells[i].length)
          .Member("tokens_per_second", round.samples[i].tokens_per_second)
          .Member("peak_share", report.PeakShare(i, round));
      if (decode) {
        writer.Member("read_bytes_per_second", round.samples[i].read_bytes)
            .Member("read_bandwidth_share", report.BandwidthShare(i, round));
      }
      writer.EndObject();
    }
    writer.EndArray();
  }
  writer.EndObject();
  return writer.Take();
}

std::string SpeedTable(const SpeedReport& report) {
  std::string text = Headline(report) + "\n";
  if (FitsCache(report)) text += CacheNote(report) + "\n";
  text += fmt::format("  {:<34}{:>10}{:>10}{:>10}\n", "", "median", "least", "most");
  const auto add = [&](const std::string& name, const Summary& summary, double unit,
                       const std::string& note) {
    text += fmt::format("  {:<34}{:>10}{:>10}{:>10}  {}\n", name, ShortNumber(summary.p50 / unit),
                        ShortNumber(summary.min / unit), ShortNumber(summary.max / unit), note);
  };
  add("memory read", report.Over([](const SpeedRound& r) { return r.read_bytes; }), 1e9, "GB/s");
  for (const Arithmetic arithmetic : kAllArithmetic) {
    const Summary peak = Peaks(report, arithmetic);
    if (!(peak.max > 0)) continue;
    add(std::string(ArithmeticName(arithmetic)) + " peak", peak, 1e9, "GOP/s");
  }
  for (size_t i = 0; i < report.cells.size(); ++i) {
    add(CellName(report.cells[i]), report.Tokens(i), 1, "tokens/s, " + Shares(report, i));
  }
  return text;
}

std::string SpeedHtml(const SpeedReport& report) {
  HtmlReport page("Engine speed: " + report.model.substr(report.model.rfind('/') + 1));
  page.AddText(Headline(report));
  std::vector<std::vector<std::string>> rows = {{"", "median", "least", "most", "unit", "share"}};
  const auto add = [&rows](const std::string& name, const Summary& summary, double unit,
                           const char* what, const std::string& share) {
    rows.push_back({name, ShortNumber(summary.p50 / unit), ShortNumber(summary.min / unit),
                    ShortNumber(summary.max / unit), what, share});
  };
  add("memory read", report.Over([](const SpeedRound& r) { return r.read_bytes; }), 1e9, "GB/s",
      "");
  for (const Arithmetic arithmetic : kAllArithmetic) {
    const Summary peak = Peaks(report, arithmetic);
    if (peak.max > 0) {
      add(std::string(ArithmeticName(arithmetic)) + " peak", peak, 1e9, "GOP/s", "");
    }
  }
  for (size_t i = 0; i < report.cells.size(); ++i) {
    add(CellName(report.cells[i]), report.Tokens(i), 1, "tokens/s", Shares(report, i));
  }
  page.AddTable(rows);
  AddSpeedCharts(report, page);
  return page.Finish();
}

}  // namespace emptor::services
