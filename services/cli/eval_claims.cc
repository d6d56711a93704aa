// emptor eval claims.
#include <cstdio>
#include <ctime>
#include <map>
#include <memory>
#include <utility>

#include "fmt/format.h"
#include "services/app/service_file.h"
#include "services/cli/commands.h"
#include "services/eval/claim_cases.h"
#include "services/eval/eval_catalog.h"

namespace emptor::services {
namespace {

struct EvalClaimsCommand {
  std::string cases;
  bool failures = false;
};

template <typename Record>
std::map<std::string, Record> ById(std::vector<Record> records) {
  std::map<std::string, Record> found;
  for (Record& each : records) {
    std::string id = each.id;
    found.emplace(std::move(id), std::move(each));
  }
  return found;
}

template <typename Record>
std::optional<Record> FindIn(const std::map<std::string, Record>& records, const std::string& id) {
  const auto found = records.find(id);
  return found == records.end() ? std::nullopt : std::optional<Record>(found->second);
}

int RunEvalClaims(const Config& config, const EvalClaimsCommand& command) {
  const auto text = ReadFile(command.cases);
  if (!text.ok()) return Fail(text.status());
  const auto cases = ParseClaimCases(*text);
  if (!cases.ok()) {
    return Fail(absl::Status(cases.status().code(),
                             command.cases + ":" + std::string(cases.status().message())));
  }
  auto products = ReadStoredRecords(ShopPath(config));
  if (!products.ok()) return FailForShop(config, ExplainLock(config.data_dir, products.status()));
  auto documents = ReadStoredDocuments(ShopPath(config));
  if (!documents.ok()) return FailForShop(config, documents.status());
  const auto product_of = ById(*std::move(products));
  const auto document_of = ById(*std::move(documents));
  const ClaimRecords records{[&](const std::string& id) { return FindIn(product_of, id); },
                             [&](const std::string& id) { return FindIn(document_of, id); }};
  const JudgedClaims judged = JudgeClaims(*cases, records, std::time(nullptr));
  std::fputs(ClaimReportText(judged, command.failures).c_str(), stdout);
  return 0;
}

}  // namespace

void AddEvalClaimsCommand(Command eval, SettingFlags& settings) {
  const auto options = std::make_shared<EvalClaimsCommand>();
  const Command command =
      eval.AddCommand("claims", "check the sentences of a case file against the shop's records");
  settings.AddForData(command);
  settings.AddShop(command);
  command.Add("--cases", options->cases, "sentences that are true or false by the records");
  command.AddSwitch("--failures", options->failures,
                    "print each sentence judged wrongly; never a sealed one");
  settings.OnRun(
      command, [options](const Config& config) { return RunEvalClaims(config, *options); },
      [options] { return options->cases.empty() ? "--cases" : ""; });
}

}  // namespace emptor::services
