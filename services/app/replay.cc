// Finds a trace, opens its shop, runs it.
#include "services/app/replay.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <utility>

#include "services/app/conversations.h"
#include "services/app/service_file.h"
#include "services/app/service_parts.h"
#include "services/assistant/dialogue/conversation_archive.h"
#include "services/assistant/trace_replay.h"

namespace emptor::services {
namespace {

absl::StatusOr<AnswerTrace> FindTrace(const Config& config, const std::string& file_or_id) {
  std::error_code ignored;
  if (std::filesystem::is_regular_file(file_or_id, ignored)) {
    std::ostringstream bytes;
    bytes << std::ifstream(file_or_id, std::ios::binary).rdbuf();
    return AnswerTrace::Parse(std::move(bytes).str());
  }
  const bool is_id = file_or_id.starts_with("a_") &&
                     file_or_id.find_first_not_of("0123456789abcdef", 2) == std::string::npos;
  if (!is_id) {
    return absl::NotFoundError(file_or_id +
                               ": expected a file of `emptor ask --trace`, or the id of an answer");
  }
  const auto bytes =
      ConversationArchive::ReadTrace(ConversationsPath(config, config.shop), file_or_id);
  if (absl::IsNotFound(bytes.status())) {
    return absl::NotFoundError(fmt::format(
        "{}: no trace of answer {}: a service keeps traces where trace_megabytes is above 0",
        ConversationsPath(config, config.shop), file_or_id));
  }
  if (!bytes.ok()) return bytes.status();
  return AnswerTrace::Parse(*bytes);
}

}  // namespace

absl::StatusOr<Replayed> ReplayAnswer(const Config& config, const std::string& file_or_id,
                                      std::shared_ptr<AssistListener> listener) {
  const auto trace = FindTrace(config, file_or_id);
  if (!trace.ok()) return ExplainLock(config.data_dir, trace.status());
  const auto shops = OpenShop(config, /*create_if_missing=*/false);
  if (!shops.ok()) return shops.status();
  const auto meanings = OpenMeanings(config);
  if (!meanings.ok()) return meanings.status();
  const auto report = ReplayTrace(*trace, shops->shop->reader(), *meanings, std::move(listener));
  if (!report.ok()) return report.status();
  return Replayed{report->is_same_text, DescribeReplay(*trace, *report)};
}

}  // namespace emptor::services
