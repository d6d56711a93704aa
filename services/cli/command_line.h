// What was typed: one subcommand with its settings.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "services/app/config.h"

namespace emptor::services {

struct ServeCommand {};
struct IngestCommand {
  std::vector<std::string> files;
  std::string to;  // URL of a service; empty: the one that holds the data directory, if any
  bool dry_run = false;
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
  bool json = false;
};
struct BenchEngineCommand {
  std::string model;  // empty: the one that would be served
  std::string isa;    // empty: the best there is
  int threads = 1;
  int ranks = 1;
  int prompt = 128;
  int tokens = 16;
  int rounds = 5;
  bool processor_time = false;
  bool json = false;
};

struct EvalPerplexityCommand {
  std::string model;    // empty: the one that would be served
  std::string text;     // a file as engine::ParseQualityTexts reads it
  std::string against;  // another model to compare with; empty: none
  std::string isa;      // empty: the best there is
  int window = 1024;
  int threads = 0;
};

struct ModelCommand {
  std::string file;   // to describe; empty: write a random model
  std::string shape;  // as engine::ModelShape::Parse reads it
  std::string type;
  std::string output;
  uint64_t seed = 1;
};

struct CommandLine {
  Config config;
  std::variant<ServeCommand, IngestCommand, AskCommand, SearchCommand, ModelCommand,
               BenchEngineCommand, EvalPerplexityCommand>
      command;
};

/// Reads the arguments, and the file of --config beneath the flags. Where nothing is to be run
/// (--help, --version, a mistake) it prints what there is to say and gives the exit code.
std::variant<CommandLine, int> ParseCommandLine(int argc, char** argv);

}  // namespace emptor::services
