// Opens archives of conversations.
#include "services/app/conversations.h"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <filesystem>
#include <thread>
#include <utility>

#include "services/observability/log.h"
#include "services/shop/shop_directory.h"

namespace emptor::services {
namespace {

using std::chrono::milliseconds, std::chrono::steady_clock;

constexpr milliseconds kPatience{2000}, kPause{10};
/// How long an idle conversation stays in memory where it can be read from disk again.
constexpr std::chrono::minutes kIdleInMemory{30};

void LogProblem(const std::string& shop, const absl::Status& problem) {
  Log(LogLevel::kWarning, "conversations",
      {{"shop", shop}, {"problem", std::string(problem.message())}});
}

}  // namespace

std::string ConversationsPath(const Config& config, const std::string& shop) {
  const std::string directory =
      shop == kDefaultShop ? config.data_dir : config.data_dir + "/shops/" + shop;
  return directory + "/conversations";
}

std::shared_ptr<ConversationStore> OpenConversations(
    const Config& config, const std::string& shop,
    const std::shared_ptr<ConversationCounters>& counters) {
  ConversationLimits limits;
  limits.idle = std::chrono::hours(config.conversation_hours);
  limits.unanswered_age = limits.idle;
  std::unique_ptr<ConversationArchive> archive;
  if (config.stored_conversations > 0) {
    ArchiveOptions options;
    options.directory = ConversationsPath(config, shop);
    options.shop = shop;
    options.idle = limits.idle;
    options.max_conversations = static_cast<size_t>(config.stored_conversations);
    options.max_answer_bytes = static_cast<uint64_t>(config.conversation_megabytes) << 20;
    options.max_trace_bytes = static_cast<uint64_t>(config.trace_megabytes) << 20;
    options.now_unix = [] { return static_cast<int64_t>(std::time(nullptr)); };
    options.counters = counters;
    options.on_problem = [shop](const absl::Status& problem) { LogProblem(shop, problem); };
    auto opened = ConversationArchive::Open(options);
    for (const auto end = steady_clock::now() + kPatience;
         absl::IsUnavailable(opened.status()) && steady_clock::now() < end;) {
      std::this_thread::sleep_for(kPause);
      opened = ConversationArchive::Open(options);
    }
    if (opened.ok()) {
      archive = *std::move(opened);
      limits.idle = std::min<std::chrono::seconds>(limits.idle, kIdleInMemory);
    } else {
      LogProblem(shop, opened.status());
    }
  }
  if (config.stored_conversations == 0) {
    std::error_code ignored;  // nothing is there in most cases
    std::filesystem::remove_all(ConversationsPath(config, shop), ignored);
  }
  return std::make_shared<ConversationStore>(
      limits, [] { return steady_clock::now(); }, std::move(archive), counters);
}

}  // namespace emptor::services
