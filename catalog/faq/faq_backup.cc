// The files of a record store, their names prefixed.
#include "catalog/faq/faq_backup.h"

#include <utility>

namespace emptor::catalog {
namespace {

/// The part of a target that belongs to the FAQ.
class FaqTarget final : public BackupTarget {
 public:
  explicit FaqTarget(BackupTarget& target) : target_(target) {}

  absl::Status Put(const std::string& name, const std::string& path) override {
    return target_.Put(Named(name), path);
  }
  absl::Status Get(const std::string& name, const std::string& path) override {
    return target_.Get(Named(name), path);
  }
  absl::Status Remove(const std::string& name) override { return target_.Remove(Named(name)); }
  std::string Describe() const override { return target_.Describe() + " (FAQ)"; }

  static std::string Named(const std::string& name) { return "faq-" + name; }

 private:
  BackupTarget& target_;
};

}  // namespace

absl::StatusOr<BackupReport> BackupFaq(FaqStore& store, BackupTarget& target,
                                       BackupOptions options) {
  if (store.records() == nullptr) return BackupReport();
  FaqTarget own(target);
  options.identity = FaqRecordOptions().identity;
  auto report = RunBackup(*store.records(), own, options);
  if (report.ok() && report->written)
    report->written->name = FaqTarget::Named(report->written->name);
  return report;
}

absl::StatusOr<std::optional<RestoreReport>> RestoreFaq(BackupTarget& target,
                                                        const std::string& directory,
                                                        const std::string& staging_directory,
                                                        std::optional<int64_t> until_ms) {
  FaqTarget own(target);
  const RestoreOptions options{.directory = directory,
                               .staging_directory = staging_directory,
                               .store = FaqRecordOptions(),
                               .until_ms = until_ms};
  const auto files = ListBackups(own, staging_directory);
  if (!files.ok()) return files.status();
  const bool is_older = until_ms && !files->empty() && *until_ms < files->front().first_ms;
  if (files->empty() || is_older) return std::nullopt;
  auto report = Restore(own, options);
  if (!report.ok()) return report.status();
  return std::optional<RestoreReport>(*std::move(report));
}

absl::Status VerifyFaqBackups(BackupTarget& target, const std::string& staging_directory) {
  FaqTarget own(target);
  const auto files = ListBackups(own, staging_directory);
  if (!files.ok()) return files.status();
  return files->empty() ? absl::OkStatus() : VerifyBackups(own, staging_directory);
}

}  // namespace emptor::catalog
