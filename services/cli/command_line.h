// What was typed: one subcommand with its settings.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "services/app/config.h"

namespace emptor::services {

struct ServeCommand {};
struct EngineServeCommand {
  std::string grpc = "127.0.0.1:8090";  // "none": no gRPC
  std::string http;                     // empty: the setting `listen`
};
struct IngestCommand {
  std::vector<std::string> files;
  std::string to;     // URL of a service; empty: the one that holds the data directory, if any
  std::string retry;  // a file of dead letters; empty: none
  std::vector<std::string> documents;  // files to read as documents, instead of feeds
  std::string kind, product;           // of those documents; empty: a guide, of no product
  /// mode, format, columns, currency, locale, screen, shrink_limit, dedupe, as SetJobOption reads
  /// them.
  std::vector<std::pair<std::string, std::string>> options;
  bool dry_run = false;
  bool resume = false;
};
struct AskCommand {
  std::string question;
  std::string url;
  std::string locale;
};
struct SearchCommand {
  std::string query;
  std::string url;
  int limit = 10;
  std::string sort;  // as POST /v1/search has it; empty: by relevance
  bool json = false;
  bool facets = false;
};
/// A recorded load, in both benchmarks.
struct TraceFlags {
  std::string file;  // empty: none
  std::string format = "azure";
  double length_scale = 1;
  int most_input = 1 << 20, most_output = 1 << 20;
};
struct BenchEngineCommand {
  std::string model;  // empty: the one that would be served
  std::string isa;    // empty: the best there is
  int threads = 1;
  int ranks = 1;
  std::vector<int> prompts = {128, 512};
  std::vector<int> prompt_batches = {1};
  std::vector<int> batches = {1, 2, 4, 8, 16};
  std::vector<int> depths = {128};
  int tokens = 16;
  int rounds = 5;
  double min_seconds = 0.25;
  bool processor_time = false;
  bool json = false;
  std::string report;  // HTML file; empty: none
  // At most one of these four; none: prefill and decoding.
  bool batching = false, concurrency = false, neighbour = false;
  int prefix = 0;               // tokens; 0: not measured
  int kv_block = 16;            // tokens of a block of KV memory
  int requests = 64;            // with batching or concurrency, as what follows
  int input = 64, output = 32;  // medians
  TraceFlags trace;
  double load = 0;                        // 0: the measurement's own
  int together = 16;                      // with batching
  std::vector<int> static_together = {};  // with batching; empty: chosen from around together
  double tpot_limit_ms = 0;               // with batching; 0: that of continuous batching
  std::vector<int> users = {4, 32};       // with concurrency
};
struct BenchRetrievalCommand {
  int passages = 100000;
  int queries = 200;
  std::vector<int> threads = {1, 2};
  std::string corpus;        // a text a line; empty: titles are made up
  std::string queries_file;  // a query a line; empty: words of the texts
  uint64_t seed = 1;
  bool plain = false;  // search without the dictionary
  bool json = false;
};
struct BenchServeCommand {
  std::string url;
  std::string endpoint = "completions";
  std::string model;  // empty: the first that the server names
  std::string api_key;
  std::string ignore_eos = "auto";
  std::string timeout = "10m";
  double rate = 0;  // one of rate, users and trace
  int users = 0;
  TraceFlags trace;
  double speed = 1;
  std::string duration;  // empty: 30 s, or the whole trace
  int requests = 0;
  int input = 128, output = 64;
  double vary = 0;
  int shared_prefix = 0;
  uint64_t seed = 1;
  std::string slo;
  double price_per_hour = 0, output_weight = 4;
  bool json = false;
  std::string report;
};

struct BenchIngestCommand {
  int products = 20000;  // of the generated catalog
  int rounds = 3;        // of price updates
  bool json = false;
};

struct EvalPerplexityCommand {
  std::string model;    // empty: the one that would be served
  std::string text;     // a file as engine::ParseQualityTexts reads it
  std::string against;  // another model to compare with; empty: none
  std::string isa;      // empty: the best there is
  int window = 1024;
  int threads = 0;
  int kv_bits = 16;
};

struct EvalRetrievalCommand {
  std::string products;   // a feed; empty: the data directory's
  std::string judgments;  // query, record id, grade between tabs, or TREC qrels
  std::string queries;    // id and text between a tab; for qrels
  std::vector<std::string> modes = {"baseline", "bm25", "vector", "hybrid"};
  std::vector<std::string> diff;  // two run files to compare instead of searching
  std::string run;                // where the last mode's run is written; empty: nowhere
  double lexical_weight = -1;     // of the fusion, from 0 to 1; below 0: as served
  double diversity = 0;           // of the results, 0 to 1
  bool tune_fields = false;       // mode tuned chooses the weights of fields, too
  std::string qrels;              // where the judgments are written as qrels; empty: nowhere
  std::string gain = "2^g-1";
  double relevant_from = 1;
  int depth = 100;
  int folds = 0;
  bool baseline_titles_only = false;
  bool baseline_keeps_plurals = false;
  bool per_query = false;
  bool json = false;
};

struct ModelCommand {
  enum class Action { kInfo, kRandom, kQuantize, kList, kStatus, kActivate, kLoad, kUnload };
  Action action = Action::kInfo;
  std::string file;       // to describe or to convert
  std::string name;       // of a model of a service
  std::string admin_url;  // of that service; empty: the one that holds the data directory
  bool wait = false;      // until the model is there
  // Of a model that is written:
  std::string type;
  std::string output;
  // Of a random one:
  std::string shape;  // as engine::ModelShape::Parse reads it
  uint64_t seed = 1;
};

/// Of `shop`, `backup`, `restore`, `verify`.
struct ShopCommand {
  enum class Action {
    kList,
    kCreate,
    kDelete,
    kRebuild,
    kReembed,
    kRollBack,
    kBackup,
    kRestore,
    kVerify,
    kQuarantine,
    kRelease
  };
  Action action = Action::kList;
  std::string name = "default";
  std::string file;  // kRebuild: the feed
  /// kRebuild: as SetRebuildOption reads them; kQuarantine, kRelease: as quarantine_operations.h.
  std::vector<std::pair<std::string, std::string>> options;
  std::string target;  // of a backup: a directory or s3://bucket/prefix
  std::string until;   // kRestore: RFC 3339; empty: the last state
  bool full = false;
  int keep = 0;  // 0: all
};

struct CommandLine {
  Config config;
  std::variant<ServeCommand, EngineServeCommand, IngestCommand, AskCommand, SearchCommand,
               ModelCommand, BenchEngineCommand, BenchRetrievalCommand, BenchServeCommand,
               BenchIngestCommand, EvalPerplexityCommand, EvalRetrievalCommand, ShopCommand>
      command;
};

/// Reads the arguments, and the file of --config beneath the flags. Where nothing is to be run
/// (--help, --version, a mistake) it prints what there is to say and gives the exit code.
std::variant<CommandLine, int> ParseCommandLine(int argc, char** argv);

}  // namespace emptor::services
