// The subcommands. Each prints what it has to say and gives the exit code: 0 done, 1 done with
// errors that were reported, 2 could not be done.
#pragma once

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "services/cli/command_line.h"

namespace emptor::services {

/// Serves until SIGTERM or SIGINT. Prints `serving on URL`, `admin on URL` and `ready`.
int RunServe(const Config& config);
/// Serves models without a shop. Prints `serving on URL`, `grpc on port N`, `admin on URL`,
/// `ready`.
int RunEngineServe(const Config& config, const EngineServeCommand& command);
/// Through the service that holds the data directory, or directly.
int RunIngest(const Config& config, const IngestCommand& command);
int RunAsk(const Config& config, const AskCommand& command);
int RunSearch(const Config& config, const SearchCommand& command);
/// Describes a model file, writes one of random weights, or turns to a service's admin port.
int RunModel(const Config& config, const ModelCommand& command);
int RunServiceModel(const Config& config, const ModelCommand& command);
/// Prints a table, or a line of JSON for each round; an HTML page beside where one is wanted.
int RunBenchEngine(const Config& config, const BenchEngineCommand& command);
/// Prints a table, or a line of JSON.
int RunBenchRetrieval(const Config& config, const BenchRetrievalCommand& command);
/// Prints a table, or a line of JSON; 1 when no request was answered.
int RunBenchServe(const BenchServeCommand& command);

/// Prints how many products and prices become searchable in a second, in a shop of its own.
int RunBenchIngest(const Config& config, const BenchIngestCommand& command);

/// Prints how well a model predicts a text, and how that compares with another model.
int RunEvalPerplexity(const Config& config, const EvalPerplexityCommand& command);

/// Prints how well searches rank what people judged, each way of searching beside the others.
int RunEvalRetrieval(const Config& config, const EvalRetrievalCommand& command);

/// Operates on whole shops; prints one JSON object.
int RunShop(const Config& config, const ShopCommand& command);

/// Keeps SIGTERM and SIGINT for WaitForStopSignal. REQUIRES: called before any thread is started.
void BlockStopSignals();
/// Waits for one of them; another one then ends the process at once.
void WaitForStopSignal();

/// Prints "emptor: message" to standard error; gives 2.
int Fail(const absl::Status& status);

/// The service to turn to: `url` if given, else the one that holds the data directory, else empty.
std::string ServiceUrl(const std::string& url, const Config& config);
/// The headers that name the shop of the settings to a service. REQUIRES: IsValidShopName.
std::vector<std::string> ShopHeaders(const Config& config);
/// Fail, with how to make the shop of the settings where there is none.
int FailForShop(const Config& config, const absl::Status& status);

}  // namespace emptor::services
