// The commands. Exit codes: 0 done, 1 done with errors that were reported, 2 could not be done.
#pragma once

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "services/app/config.h"
#include "services/cli/command.h"
#include "services/cli/setting_flags.h"

namespace emptor::services {

// Each adds a command with its flags to `root`, or to the command that it belongs to.

/// Serves until SIGTERM or SIGINT. Prints `serving on URL`, `admin on URL`, `key in FILE` and
/// `ready`.
void AddServeCommand(Command root, SettingFlags& settings);
/// `engine serve`: serves models without a shop. Prints `serving on URL`, `grpc on port N`, `admin
/// on URL`, `key in FILE`, `ready`.
void AddEngineCommand(Command root, SettingFlags& settings);
/// `gateway serve`: balances requests for models over a fleet. Prints `serving on URL`, `admin on
/// URL`, `key in FILE`, `ready`.
void AddGatewayCommand(Command root);
/// Through the service that holds the data directory, or directly. So do the next two.
void AddIngestCommand(Command root, SettingFlags& settings);
void AddAskCommand(Command root, SettingFlags& settings);
void AddSearchCommand(Command root, SettingFlags& settings);
/// `faq import`, `export`, `lookup`, `list`, `delete`, `changes`: the entries of the FAQ.
void AddFaqCommands(Command root, SettingFlags& settings);
/// Describes a model file, converts it, writes one of random weights; and those below.
void AddModelCommand(Command root, SettingFlags& settings);
/// `list`, `status`, `activate`, `load`, `unload`: the models of a service, by its admin port.
void AddServiceModelCommands(Command model, SettingFlags& settings);
/// `get`: installs a model of others.
void AddModelGetCommand(Command model, SettingFlags& settings);
/// `fit`: memory and speed of a model on this machine.
void AddModelFitCommand(Command model);
/// Prints a table, or a line of JSON for each round; also an HTML page where one is wanted.
void AddBenchEngineCommand(Command bench, SettingFlags& settings);
/// Prints a table, or a line of JSON.
void AddBenchRetrievalCommand(Command bench, SettingFlags& settings);
/// Prints a table, or a line of JSON; returns 1 when no request was answered.
void AddBenchServeCommand(Command bench);
/// Prints what ways of balancing reach in a simulation; returns 1 when a promise was broken.
void AddBenchGatewayCommand(Command bench);
/// Prints latencies of cached answers and of others, and hit rates of cache policies.
void AddBenchCacheCommand(Command bench, SettingFlags& settings);
/// Prints how many products and prices become searchable in a second, in a temporary shop.
void AddBenchIngestCommand(Command bench, SettingFlags& settings);
/// `shop`, `backup`, `restore`, `verify`: whole shops.
void AddShopCommands(Command root, SettingFlags& settings);
/// `key issue`, `list`, `rotate`, `revoke`, `audit`: keys, and the log of what was done with them.
void AddKeyCommands(Command root, SettingFlags& settings);
/// `config check`, `config print`.
void AddConfigCommand(Command root, SettingFlags& settings);
/// Prints how well a model predicts a text, and how that compares with another model.
void AddEvalPerplexityCommand(Command eval, SettingFlags& settings);
/// Prints how well searches rank what people judged, and compares ways of searching.
void AddEvalRetrievalCommand(Command eval, SettingFlags& settings);

/// Holds the conversations of a case file and prints how many answers were right, by kind.
void AddEvalAnswersCommand(Command eval, SettingFlags& settings);
/// emptor eval claims: sentences against the records that they are about.
void AddEvalClaimsCommand(Command eval, SettingFlags& settings);
/// `tune` of `faq`: fits thresholds to labelled questions.
void AddFaqTuneCommand(Command faq, SettingFlags& settings);
/// emptor eval faq: FAQ look-up on labelled questions.
void AddEvalFaqCommand(Command eval, SettingFlags& settings);
/// emptor eval turns: labelled conversations, and how often they are read rightly.
void AddEvalTurnsCommand(Command eval, SettingFlags& settings);
/// emptor eval evidence: judged sentences, ranked by how well they answer.
void AddEvalEvidenceCommand(Command eval, SettingFlags& settings);

/// What --insecure gives up.
inline constexpr const char* kInsecureHelp =
    "start on an address that other machines reach without a key for them: whoever reaches it may "
    "read and ask; changes need a key all the same";

/// Logs what `insecure` gives up, where it is set.
void WarnIfInsecure(const Config& config);

/// Keeps SIGTERM and SIGINT for WaitForStopSignal. REQUIRES: called before any thread is started.
void BlockStopSignals();
/// Waits for one of them; another one then ends the process at once.
void WaitForStopSignal();

/// Prints "emptor: message" to standard error; gives 2.
int Fail(const absl::Status& status);

/// Errors: kNotFound, kUnavailable, with the path.
absl::StatusOr<std::string> ReadFile(const std::string& path);
absl::Status WriteFile(const std::string& path, const std::string& text);

/// The directory of the shop of the settings.
std::string ShopPath(const Config& config);
/// Fail, with how to make the shop of the settings where there is none.
int FailForShop(const Config& config, const absl::Status& status);

}  // namespace emptor::services
