// Names, defaults and ranges.
#include "services/cli/bench_flags.h"

#include <CLI/CLI.hpp>

namespace emptor::services {
namespace {

void AddTraceFlags(CLI::App& command, TraceFlags& trace) {
  command.add_option("--trace", trace.file, "recorded load to replay; .zst is unpacked");
  command.add_option("--trace-format", trace.format, "azure or mooncake")
      ->check(CLI::IsMember({"azure", "mooncake"}));
  command.add_option("--length-scale", trace.length_scale, "of the trace's prompts and answers")
      ->check(CLI::Range(1e-6, 1e6));
  command.add_option("--most-input", trace.most_input, "cuts longer prompts")
      ->check(CLI::Range(1, 1 << 20));
  command.add_option("--most-output", trace.most_output, "cuts longer answers")
      ->check(CLI::Range(1, 1 << 20));
}

void AddOutputFlags(CLI::App& command, bool& json, std::string& report) {
  command.add_flag("--json", json, "print JSON in place of the table");
  command.add_option("--report", report, "also write an HTML page with charts to this file");
}

/// What `bench engine` measures of requests, in place of prefill and decoding.
void AddRequestFlags(CLI::App& app, BenchEngineCommand& command) {
  CLI::Option* modes[] = {
      app.add_flag("--batching", command.batching,
                   "measure continuous against static batching instead"),
      app.add_flag("--concurrency", command.concurrency,
                   "measure first tokens by few and by many users at one rate instead"),
      app.add_option("--prefix", command.prefix,
                     "measure prompts with so many tokens in common instead")
          ->check(CLI::Range(1, 1 << 20)),
      app.add_flag("--neighbour", command.neighbour,
                   "measure decoding beside a busy process instead")};
  for (CLI::Option* mode : modes) {
    for (CLI::Option* other : modes) {
      if (mode != other) mode->excludes(other);
    }
  }
  app.add_option("--kv-block", command.kv_block, "tokens of a block of KV memory")
      ->check(CLI::Range(1, 1024));
  app.add_option("--requests", command.requests, "--batching, --concurrency: how many")
      ->check(CLI::Range(1, 100000));
  app.add_option("--input", command.input, "of these: median tokens of a prompt")
      ->check(CLI::Range(1, 1 << 20));
  app.add_option("--output", command.output, "of these: median tokens of an answer")
      ->check(CLI::Range(1, 1 << 20));
  AddTraceFlags(app, command.trace);
  app.add_option("--load", command.load, "of what can be done: --batching 0.8, --concurrency 0.5")
      ->check(CLI::Range(0.01, 10.0));
  app.add_option("--together", command.together, "--batching: sequences computed together")
      ->check(CLI::Range(1, 1024));
  app.add_option("--static-together", command.static_together,
                 "--batching: sizes of static batches to choose from: 8,16,32")
      ->delimiter(',');
  app.add_option("--tpot-limit", command.tpot_limit_ms,
                 "--batching: milliseconds; that of continuous batching unless given")
      ->check(CLI::Range(0.0, 1e6));
  app.add_option("--users", command.users, "--concurrency: few and many: 4,32")
      ->delimiter(',')
      ->expected(2);
}

CLI::App* AddEngine(CLI::App& bench, BenchEngineCommand& command) {
  CLI::App* app = bench.add_subcommand(
      "engine", "tokens per second of a model beside what memory and cores can do");
  app->add_option("MODEL", command.model, "GGUF; the model that is served unless given");
  app->add_option("--threads", command.threads, "0: one per core")->check(CLI::Range(0, 1024));
  app->add_option("--tp", command.ranks, "tensor-parallel ranks, which share the threads")
      ->check(CLI::Range(1, 64));
  app->add_option("--prompt", command.prompts, "lengths of prompts: 128,512")->delimiter(',');
  app->add_option("--prompt-batch", command.prompt_batches, "prompts computed together: 1,4")
      ->delimiter(',');
  app->add_option("--batch", command.batches, "sequences that decode together: 1,2,4,8,16")
      ->delimiter(',');
  app->add_option("--depth", command.depths, "tokens before the decoded ones: 128,1024")
      ->delimiter(',');
  app->add_option("--tokens", command.tokens, "tokens decoded in a sample");
  app->add_option("--rounds", command.rounds, "how often everything is measured");
  app->add_option("--min-seconds", command.min_seconds, "that a sample takes at least")
      ->check(CLI::Range(0.0, 600.0));
  app->add_option("--isa", command.isa, "reference, avx2, avx512 or avx512bf16");
  app->add_flag("--cpu-time", command.processor_time,
                "count processor time: on a machine that others use");
  AddOutputFlags(*app, command.json, command.report);
  AddRequestFlags(*app, command);
  return app;
}

void AddLoadFlags(CLI::App& app, BenchServeCommand& command) {
  app.add_option("--rate", command.rate, "open loop: requests a second, as a Poisson stream")
      ->check(CLI::Range(1e-6, 1e6));
  app.add_option("--users", command.users,
                 "closed loop: users that each wait for their answer before they ask again")
      ->check(CLI::Range(1, 100000));
  AddTraceFlags(app, command.trace);
  app.add_option("--speed", command.speed, "2: the trace's gaps are half as long")
      ->check(CLI::Range(1e-6, 1e6));
  app.add_option("--duration", command.duration, "30s, 15m: how long requests are sent");
  app.add_option("--requests", command.requests, "closed loop: stop after so many")
      ->check(CLI::Range(1, 100000000));
  app.add_option("--input", command.input, "tokens of a prompt, about")
      ->check(CLI::Range(1, 1 << 20));
  app.add_option("--output", command.output, "tokens of an answer")->check(CLI::Range(1, 1 << 20));
  app.add_option("--vary", command.vary, "0.5: lengths lie evenly within 50 % around these")
      ->check(CLI::Range(0.0, 0.99));
  app.add_option("--shared-prefix", command.shared_prefix,
                 "tokens at the beginning that all prompts share")
      ->check(CLI::Range(0, 1 << 20));
  app.add_option("--seed", command.seed, "of arrivals, lengths and words");
}

CLI::App* AddServe(CLI::App& bench, BenchServeCommand& command) {
  CLI::App* app = bench.add_subcommand(
      "serve", "load on a server with the OpenAI API: latencies, rates, failures, cost");
  app->add_option("--url", command.url, "http://127.0.0.1:8000")->required();
  app->add_option("--endpoint", command.endpoint, "completions or chat")
      ->check(CLI::IsMember({"completions", "chat"}));
  app->add_option("--model", command.model, "as the server names it; the first of /v1/models");
  app->add_option("--api-key", command.api_key, "sent as a bearer token; or OPENAI_API_KEY")
      ->envname("OPENAI_API_KEY");
  app->add_option("--ignore-eos", command.ignore_eos,
                  "answers of the full length: on, off, or auto: where the server takes it")
      ->check(CLI::IsMember({"auto", "on", "off"}));
  app->add_option("--timeout", command.timeout, "of one request");
  AddLoadFlags(*app, command);
  app->add_option("--slo", command.slo, "ttft=300ms,tpot=50ms,e2e=10s: what counts as good");
  app->add_option("--price-per-hour", command.price_per_hour, "of the machine, for the cost")
      ->check(CLI::Range(0.0, 1e9));
  app->add_option("--output-weight", command.output_weight,
                  "what an output token costs, in input tokens")
      ->check(CLI::Range(1e-6, 1e6));
  AddOutputFlags(*app, command.json, command.report);
  return app;
}

CLI::App* AddRetrieval(CLI::App& bench, BenchRetrievalCommand& command,
                       const AddFlags& add_search_flags) {
  CLI::App* app = bench.add_subcommand(
      "retrieval", "building, memory, times and recall of the search over a generated shop");
  add_search_flags(*app);
  app->add_option("--passages", command.passages, "records of the shop")
      ->check(CLI::Range(1, 1 << 28));
  app->add_option("--queries", command.queries, "searches of each measurement")
      ->check(CLI::Range(1, 1 << 24));
  app->add_option("--threads", command.threads, "that search together: 1,2,4")
      ->delimiter(',')
      ->check(CLI::Range(1, 1024));
  app->add_option("--corpus", command.corpus,
                  "a text a line; more are made by joining halves of them; made up unless given");
  app->add_option("--queries-file", command.queries_file,
                  "a query a line; words of the texts unless given");
  app->add_option("--seed", command.seed, "of what is made up");
  app->add_flag("--plain", command.plain,
                "search the query's words alone: no corrections, stems or synonyms");
  app->add_flag("--json", command.json, "print JSON in place of the table");
  return app;
}

CLI::App* AddIngest(CLI::App& bench, BenchIngestCommand& command,
                    const AddFlags& add_search_flags) {
  CLI::App* app = bench.add_subcommand("ingest", "how fast a generated catalog becomes searchable");
  add_search_flags(*app);
  app->add_option("--products", command.products, "products of the catalog")
      ->check(CLI::Range(1, 10'000'000))
      ->default_val(20000);
  app->add_option("--rounds", command.rounds, "rounds of price updates")
      ->check(CLI::Range(0, 1000))
      ->default_val(3);
  app->add_flag("--json", command.json, "a line of JSON for each measure");
  return app;
}

}  // namespace

BenchApps AddBenchCommands(CLI::App& app, BenchCommands& commands,
                           const AddFlags& add_search_flags) {
  CLI::App* bench = app.add_subcommand("bench", "measure speed");
  bench->require_subcommand(1);
  return {AddEngine(*bench, commands.engine),
          AddRetrieval(*bench, commands.retrieval, add_search_flags),
          AddServe(*bench, commands.serve), AddIngest(*bench, commands.ingest, add_search_flags)};
}

}  // namespace emptor::services
