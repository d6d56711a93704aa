// Options, JSON results, and the calls into ShopDirectory and catalog/backup.
#include "services/backup/shop_operations.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <condition_variable>
#include <filesystem>
#include <map>
#include <mutex>
#include <set>
#include <utility>

#include "catalog/backup/catalog_backup.h"
#include "catalog/encoding/json.h"
#include "catalog/faq/faq_backup.h"
#include "catalog/feed/column_mapping.h"
#include "catalog/feed/currency_check.h"
#include "catalog/import/release.h"
#include "services/backup/s3_target.h"
#include "services/ingest/job.h"

namespace emptor::services {
namespace {

constexpr size_t kMaxReportedRows = 50;

template <typename Number>
absl::Status ReadNumber(std::string_view name, std::string_view text, double scale, Number& out) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 0 || value > 1e12) {
    return absl::InvalidArgumentError(
        fmt::format("{}: expected a number, found {:?}", name, text.substr(0, 64)));
  }
  out = static_cast<Number>(value * scale);
  return absl::OkStatus();
}

absl::Status ReadShare(std::string_view name, std::string_view text, double& out) {
  const bool is_percent = text.ends_with('%');
  if (is_percent) text.remove_suffix(1);
  absl::Status status = ReadNumber(name, text, is_percent ? 0.01 : 1.0, out);
  if (!status.ok() || out <= 1) return status;
  return absl::InvalidArgumentError(
      fmt::format("{}: expected a share up to 1, found {}", name, out));
}

absl::Status ReadCanary(std::string_view text, RebuildSpec& spec) {
  const size_t arrow = text.rfind("=>");
  if (arrow == std::string_view::npos || arrow == 0 || arrow + 2 == text.size()) {
    return absl::InvalidArgumentError(
        fmt::format("canary: expected query=>product id, found {:?}", text.substr(0, 64)));
  }
  spec.gates.canaries.push_back(
      {std::string(text.substr(0, arrow)), std::string(text.substr(arrow + 2))});
  return absl::OkStatus();
}

void WriteReport(const catalog::ImportReport& report, catalog::JsonWriter& writer) {
  writer.BeginObject()
      .Member("lines", report.lines)
      .Member("created", report.created)
      .Member("updated", report.updated)
      .Member("unchanged", report.unchanged)
      .Member("errors", report.errors)
      .Member("warnings", report.warnings)
      .EndObject();
}

/// Result of importing the feed of a new generation.
struct Filled {
  catalog::ImportReport report;
  uint64_t documents_kept = 0;
  std::vector<std::string> refused;  // the first rows that were refused, as JSON
};

/// Amounts that name no currency are in that of most prices served. Errors: kInvalidArgument when
/// there are no prices and the feed has such an amount.
absl::Status SettleCurrency(const catalog::ProductStore& served, std::istream& feed,
                            catalog::FeedOptions& options) {
  if (!options.currency.empty()) return absl::OkStatus();
  std::map<std::string, size_t> counts;
  const absl::Status scanned =
      served.ScanProducts([&](const catalog::Product& product, std::string_view) {
        if (product.price) ++counts[product.price->currency];
        return true;
      });
  if (!scanned.ok()) return scanned;
  const auto most =
      std::max_element(counts.begin(), counts.end(),
                       [](const auto& a, const auto& b) { return a.second < b.second; });
  if (most != counts.end()) {
    options.currency = most->first;
    return absl::OkStatus();
  }
  return catalog::CheckCurrencies(feed, options);
}

/// Keeps releases from quarantine, and documents that the feed does not name.
absl::Status Fill(ShopDirectory& shops, const std::string& name, catalog::FeedOptions options,
                  std::istream& feed, Shop& next, Filled& filled) {
  absl::Status status = shops.ReadServed(name, [&](const catalog::ProductStore& served) {
    absl::Status settled = SettleCurrency(served, feed, options);
    if (!settled.ok()) return settled;
    auto notes = catalog::ReleaseMarks(served);
    if (!notes.ok() || notes->empty()) return notes.status();
    return next.writer().WriteMetadata(*std::move(notes));
  });
  if (!status.ok()) return status;
  std::set<std::string> named;  // documents
  const auto imported = next.writer().Import(
      feed, options, {.screen = next.writer().screen_policy()},
      [&](const catalog::LineResult& result) {
        const bool is_refused = result.status == catalog::LineStatus::kError;
        if (is_refused && filled.refused.size() < kMaxReportedRows)
          filled.refused.push_back(ToJson(result));
      },
      [&](const catalog::ImportBatch& batch, const catalog::FeedReader&) {
        for (const catalog::NamedRecord& record : batch.named) {
          if (record.is_document) named.insert(record.id);
        }
        return absl::OkStatus();
      });
  if (!imported.ok()) return imported.status();
  filled.report = *imported;
  return shops.ReadServed(name, [&](const catalog::ProductStore& served) {
    const auto kept = next.lifecycle().CopyDocuments(served, named);
    if (kept.ok()) filled.documents_kept = *kept;
    return kept.status();
  });
}

/// A backup reads, extends and rewrites its target's list of files: one backup at a time for each
/// target, whatever the shop.
class TargetTurn {
 public:
  explicit TargetTurn(std::string target) : target_(std::move(target)) {
    std::unique_lock lock(Shared().mutex);
    Shared().freed.wait(lock, [this] { return !Shared().busy.contains(target_); });
    Shared().busy.insert(target_);
  }
  ~TargetTurn() {
    const std::lock_guard lock(Shared().mutex);
    Shared().busy.erase(target_);
    Shared().freed.notify_all();
  }
  TargetTurn(const TargetTurn&) = delete;
  TargetTurn& operator=(const TargetTurn&) = delete;

 private:
  struct Turns {
    std::mutex mutex;
    std::condition_variable freed;
    std::set<std::string> busy;  // targets
  };
  static Turns& Shared() {
    static Turns turns;
    return turns;
  }
  const std::string target_;
};

/// Removes what a failed restore made of a shop that did not exist.
void RemoveNewShop(const std::string& path, const ShopGenerations& generations) {
  std::error_code ignored;
  std::filesystem::remove_all(generations.PathOf(generations.current()), ignored);
  std::filesystem::remove(path + "/CURRENT", ignored);
  std::filesystem::remove(path, ignored);  // fails if it is not empty
}

/// The file of a backup; null where the target was up to date.
void WriteWritten(std::string_view member, const std::optional<catalog::BackupEntry>& written,
                  catalog::JsonWriter& writer) {
  writer.Key(member);
  if (!written) {
    writer.Null();
    return;
  }
  writer.BeginObject()
      .Member("name", written->name)
      .Member("kind", written->kind == catalog::BackupKind::kBase ? "base" : "changes")
      .Member("entries", written->entries)
      .Member("bytes", written->bytes)
      .Member("sha256", written->sha256)
      .EndObject();
}

/// The FAQ of a backup next to that of the shop; nothing where the backup has none.
constexpr const char* kRestoredFaq = "/faq-restored";
/// What the FAQ was before the last restore: it is kept until the next one.
constexpr const char* kPreviousFaq = "/faq-previous";

/// Puts a restored FAQ in place. Killed in between, the shop has none, and both lie there.
absl::Status ReplaceFaq(const std::string& path) {
  std::error_code error;
  std::filesystem::remove_all(path + kPreviousFaq, error);
  if (!error && std::filesystem::exists(path + "/faq", error)) {
    std::filesystem::rename(path + "/faq", path + kPreviousFaq, error);
  }
  if (!error) std::filesystem::rename(path + kRestoredFaq, path + "/faq", error);
  if (!error) return absl::OkStatus();
  return absl::UnavailableError(fmt::format("{}: faq: {}", path, error.message()));
}

std::string StagingOf(const std::string& data_directory) { return data_directory + "/staging"; }

}  // namespace

std::string ShopPath(const std::string& data_directory, const std::string& name) {
  return name == kDefaultShop ? data_directory : data_directory + "/shops/" + name;
}

absl::Status SetRebuildOption(std::string_view name, std::string_view value, RebuildSpec& spec) {
  if (name == "format") {
    const auto format = catalog::ParseFeedFormat(value);
    if (format) spec.feed.format = *format;
    return format ? absl::OkStatus()
                  : absl::InvalidArgumentError(fmt::format(
                        "format: expected the name of a format, found {:?}", value.substr(0, 64)));
  }
  if (name == "currency") {
    spec.feed.currency = std::string(value);
  } else if (name == "locale") {
    spec.feed.locale = std::string(value);
  } else if (name == "columns") {
    return catalog::SetColumns(value, spec.feed);
  } else if (name == "min_products") {
    return ReadNumber(name, value, 1, spec.gates.min_products);
  } else if (name == "min_share") {
    return ReadShare(name, value, spec.gates.min_share);
  } else if (name == "canary_depth") {
    return ReadNumber(name, value, 1, spec.gates.canary_depth);
  } else if (name == "canary") {
    return ReadCanary(value, spec);
  } else {
    return absl::InvalidArgumentError(fmt::format("{}: is no option", name.substr(0, 64)));
  }
  return absl::OkStatus();
}

std::string ListShops(ShopDirectory& shops) {
  catalog::JsonWriter writer;
  writer.BeginObject().Key("shops").BeginArray();
  for (const ShopInfo& info : shops.List()) {
    writer.BeginObject().Member("name", info.name).Member("open", info.is_open);
    writer.Member("generation", info.generation);
    if (info.is_open) {  // the counts of a closed shop are unknown
      writer.Member("memory_bytes", static_cast<int64_t>(info.memory_bytes));
      writer.Member("products", info.records.products);
      writer.Member("documents", info.records.documents);
    }
    if (!info.health.ok()) writer.Member("error", info.health.ToString());
    writer.EndObject();
  }
  return writer.EndArray().EndObject().Take();
}

absl::StatusOr<std::string> ListImageHosts(ShopDirectory& shops, const std::string& name,
                                           const std::optional<std::vector<std::string>>& setting) {
  const auto shop = shops.Find(name);
  if (!shop.ok()) return shop.status();
  const auto profile = (*shop)->reader().profile();
  const ImageHostCounts& counts = profile->image_hosts;
  const std::vector<std::string> allowed = setting ? *setting : AllowedImageHosts(counts);
  const auto is_allowed = [&](const std::string& host) {
    return std::find(allowed.begin(), allowed.end(), host) != allowed.end();
  };
  std::vector<ImageHost> hosts = RankImageHosts(counts);
  for (const std::string& host : allowed) {
    if (!counts.contains(host)) hosts.push_back({host});  // no record names it
  }
  catalog::JsonWriter writer;
  writer.BeginObject().Member("shop", name).Member("from", setting ? "setting" : "records");
  writer.Key("hosts").BeginArray();
  for (const ImageHost& each : hosts) {
    writer.BeginObject().Member("host", each.host);
    writer.Member("products", static_cast<int64_t>(each.products));
    writer.Member("allowed", is_allowed(each.host)).EndObject();
  }
  return writer.EndArray().EndObject().Take();
}

absl::StatusOr<std::string> RebuildShop(ShopDirectory& shops, const std::string& name,
                                        const RebuildSpec& spec, std::istream& feed) {
  if (absl::Status status = CheckFeedOptions(spec.feed); !status.ok()) return status;
  Filled filled;
  const absl::Status status = shops.Rebuild(name, spec.gates, [&](Shop& next) {
    return Fill(shops, name, spec.feed, feed, next, filled);
  });
  if (!status.ok()) return status;
  catalog::JsonWriter writer;
  writer.BeginObject().Member("shop", name).Key("report");
  WriteReport(filled.report, writer);
  writer.Member("documents_kept", filled.documents_kept);
  if (!filled.refused.empty()) {
    writer.Key("refused").BeginArray();
    for (const std::string& result : filled.refused) writer.Raw(result);
    writer.EndArray();
  }
  return writer.EndObject().Take();
}

absl::StatusOr<std::string> ReembedShop(ShopDirectory& shops, const std::string& name) {
  if (absl::Status status = shops.Reembed(name); !status.ok()) return status;
  const auto shop = shops.Find(name);
  if (!shop.ok()) return shop.status();
  catalog::JsonWriter writer;
  writer.BeginObject().Member("shop", name);
  writer.Member("products", (*shop)->reader().info().products);
  return writer.Member("documents", (*shop)->reader().info().documents).EndObject().Take();
}

absl::StatusOr<std::string> BackupShop(ShopDirectory& shops, const std::string& name,
                                       const BackupSpec& spec) {
  const auto target = OpenBackupTarget(spec.to);
  if (!target.ok()) return target.status();
  const auto shop = shops.Find(name);
  if (!shop.ok()) return shop.status();
  const TargetTurn turn((*target)->Describe());
  catalog::BackupOptions options;
  options.staging_directory = StagingOf((*shop)->directory());
  options.full = spec.full;
  options.keep_bases = spec.keep_bases;
  const auto report = catalog::BackupCatalog((*shop)->lifecycle().store(), **target, options);
  if (!report.ok()) return report.status();
  const auto faq = catalog::BackupFaq((*shop)->lifecycle().faq(), **target, options);
  if (!faq.ok()) return faq.status();
  catalog::JsonWriter writer;
  writer.BeginObject().Member("shop", name).Member("to", (*target)->Describe());
  WriteWritten("written", report->written, writer);
  WriteWritten("faq", faq->written, writer);
  return writer.Member("removed", report->removed + faq->removed).EndObject().Take();
}

absl::StatusOr<std::string> RestoreShop(const std::string& data_directory, const std::string& name,
                                        const std::string& from, std::optional<int64_t> until_ms) {
  if (!IsValidShopName(name)) {
    return absl::InvalidArgumentError(fmt::format("shop: {:?} is no name", name.substr(0, 64)));
  }
  const auto target = OpenBackupTarget(from);
  if (!target.ok()) return target.status();
  const std::string path = ShopPath(data_directory, name);
  std::error_code error;
  const bool is_new = !std::filesystem::exists(path + "/CURRENT", error) &&
                      !std::filesystem::exists(path + "/catalog", error);
  std::filesystem::create_directories(path, error);
  if (error) return absl::UnavailableError(fmt::format("{}: {}", path, error.message()));
  auto generations = ShopGenerations::Open(path, /*create=*/true);
  if (!generations.ok()) return generations.status();
  const auto next = generations->Begin();
  if (!next.ok()) return next.status();
  const std::string directory = generations->PathOf(*next);
  const auto report =
      catalog::RestoreCatalog(**target, directory + "/catalog", StagingOf(directory), until_ms);
  std::filesystem::remove_all(path + kRestoredFaq, error);  // of a restore that was killed
  absl::StatusOr<std::optional<catalog::RestoreReport>> faq = std::nullopt;
  if (report.ok()) {
    faq = catalog::RestoreFaq(**target, path + kRestoredFaq, StagingOf(directory), until_ms);
  }
  std::filesystem::remove_all(StagingOf(directory), error);
  if (!report.ok() || !faq.ok()) {
    (void)generations->Remove(*next);
    if (is_new) RemoveNewShop(path, *generations);
    return report.ok() ? faq.status() : report.status();
  }
  if (*faq) {
    if (absl::Status status = ReplaceFaq(path); !status.ok()) return status;
  }
  if (absl::Status status = generations->Activate(*next); !status.ok()) return status;
  catalog::JsonWriter writer;
  writer.BeginObject()
      .Member("shop", name)
      .Member("generation", *next)
      .Member("batch", report->sequence)
      .Member("time_ms", report->time_ms)
      .Member("records", report->seal.records())
      .Member("sealed", report->is_sealed);
  if (*faq) writer.Member("faq_entries", (**faq).seal.counts[0]);
  writer.EndObject();
  return writer.Take();
}

}  // namespace emptor::services
