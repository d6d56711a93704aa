// The command line, on CLI11.
#include "services/cli/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <utility>

#include "engine/conversion/random_model.h"
#include "services/api/version.h"
#include "services/cli/bench_flags.h"
#include "services/cli/shop_flags.h"
#include "services/shop/shop_directory.h"

namespace emptor::services {
namespace {

/// Flags as typed; empty ones were not given.
struct Flags {
  std::string config, data_dir, shop, listen, admin_listen, model, embedder, images_dir, log_level;
};

void AddSearchFlags(CLI::App& command, Flags& flags) {
  command.add_option("--config", flags.config, "YAML file of settings");
  command.add_option("--embedder", flags.embedder,
                     "embedding model, GGUF or directory, or URL of an endpoint");
}

void AddDataFlags(CLI::App& command, Flags& flags) {
  AddSearchFlags(command, flags);
  command.add_option("--data-dir", flags.data_dir, "where the shop's data lies (./var/emptor)");
}

void AddShopFlag(CLI::App& command, Flags& flags) {
  command.add_option("--shop", flags.shop, "which shop, also of a service (default)");
}

void AddServeFlags(CLI::App& command, Flags& flags) {
  AddDataFlags(command, flags);
  command.add_option("--listen", flags.listen, "address of the service (127.0.0.1:8080)");
  command.add_option("--admin-listen", flags.admin_listen,
                     "address of health and metrics (127.0.0.1:8081)");
  command.add_option("--model", flags.model, "language model, GGUF, or \"none\"");
  command.add_option("--images-dir", flags.images_dir, "images served under /images/");
  command.add_option("--log-level", flags.log_level, "info, warning, error or off");
}

/// `engine serve`; gives the inner command.
CLI::App* AddEngineServe(CLI::App& app, EngineServeCommand& command, Flags& flags) {
  CLI::App* engine = app.add_subcommand("engine", "models without a shop");
  engine->require_subcommand(1);
  CLI::App* serve =
      engine->add_subcommand("serve", "models behind the OpenAI, TGI and gRPC interfaces");
  serve->add_option("--listen", command.grpc, "address of gRPC, or \"none\" (127.0.0.1:8090)");
  serve->add_option("--http", command.http, "address of HTTP (127.0.0.1:8080)");
  serve->add_option("--admin-listen", flags.admin_listen,
                    "address of health, metrics and models (127.0.0.1:8081)");
  serve->add_option("--config", flags.config, "YAML file of settings");
  serve->add_option("--model", flags.model, "language model, or \"none\"");
  serve->add_option("--embedder", flags.embedder, "embedding model, or \"none\"");
  serve->add_option("--log-level", flags.log_level, "info, warning, error or off");
  return serve;
}

/// `model list|status|activate|load|unload`: through the admin port of a service.
void AddServiceModelCommands(CLI::App& model, ModelCommand& command, Flags& flags) {
  using Action = ModelCommand::Action;
  struct Row {
    const char* name;
    const char* help;
    Action action;
  };
  const Row rows[] = {
      {"list", "the models of a service", Action::kList},
      {"status", "what a model of a service does", Action::kStatus},
      {"activate", "let a model answer, loading it first where needed", Action::kActivate},
      {"load", "load a model", Action::kLoad},
      {"unload", "free a model's memory once its requests have ended", Action::kUnload}};
  for (const Row& row : rows) {
    CLI::App* one = model.add_subcommand(row.name, row.help);
    if (row.action != Action::kList) one->add_option("NAME", command.name)->required();
    one->add_option("--admin-url", command.admin_url,
                    "admin port of the service (the one that holds the data directory)");
    one->add_option("--data-dir", flags.data_dir, "of the service (./var/emptor)");
    if (row.action == Action::kActivate || row.action == Action::kLoad) {
      one->add_flag("--wait", command.wait, "until the model is available or has failed");
    }
    one->callback([&command, action = row.action] { command.action = action; });
  }
}

void AddTypeOption(CLI::App& command, std::string& type) {
  command.add_option("--type", type, "f32, f16, bf16, q8_0, q4_0, q4_k or q6_k")
      ->check(CLI::IsMember({"f32", "f16", "bf16", "q8_0", "q4_0", "q4_k", "q6_k"}))
      ->default_val("q8_0");
}

void AddQuantizeCommand(CLI::App& model, ModelCommand& command) {
  CLI::App* quantize =
      model.add_subcommand("quantize", "write a model as GGUF of another element type");
  quantize->add_option("IN", command.file, "GGUF, or a Hugging Face directory")->required();
  quantize->add_option("OUT", command.output, "the GGUF file to write")->required();
  AddTypeOption(*quantize, command.type);
  quantize->callback([&command] { command.action = ModelCommand::Action::kQuantize; });
}

/// `model info`, `model random`, `model quantize` and those of a service; gives the outer command.
CLI::App* AddModelCommand(CLI::App& app, ModelCommand& command, Flags& flags) {
  CLI::App* model = app.add_subcommand(
      "model", "describe, convert or make model files, or switch those of a service");
  model->require_subcommand(1);
  AddServiceModelCommands(*model, command, flags);
  CLI::App* info = model->add_subcommand("info", "what a model file holds");
  info->add_option("FILE", command.file, "GGUF")->required();
  info->callback([&command] { command.action = ModelCommand::Action::kInfo; });
  CLI::App* random = model->add_subcommand("random", "write a model of random weights");
  random
      ->add_option("--shape", command.shape,
                   "one of " + engine::ModelShapeNames() + ", or key=value,...")
      ->required();
  AddTypeOption(*random, command.type);
  random->add_option("--seed", command.seed, "equal seeds give equal files")->default_val(1);
  random->add_option("--output", command.output, "the file to write")->required();
  random->callback([&command] { command.action = ModelCommand::Action::kRandom; });
  AddQuantizeCommand(*model, command);
  return model;
}

CLI::App* AddIngestCommand(CLI::App& app, IngestCommand& ingest, Flags& flags) {
  CLI::App* ingest_app = app.add_subcommand("ingest", "take a catalog");
  AddDataFlags(*ingest_app, flags);
  AddShopFlag(*ingest_app, flags);
  ingest_app->add_option("FILE", ingest.files, "feeds; - is standard input");
  ingest_app->add_option("--to", ingest.to, "URL of the service that takes it");
  ingest_app->add_option("--retry", ingest.retry, "take the rows of a file of dead letters again");
  ingest_app->add_option("--documents", ingest.documents,
                         "HTML, Markdown, text or PDF files to take as documents, no feeds");
  ingest_app->add_option("--kind", ingest.kind, "of the documents: guide unless given")
      ->check(CLI::IsMember({"faq", "policy", "guide", "manual", "review"}));
  ingest_app->add_option("--product", ingest.product, "id of the product that they speak of");
  ingest_app->add_flag("--dry-run", ingest.dry_run, "check and compare, write nothing");
  ingest_app->add_flag("--resume", ingest.resume, "go on with a feed that was broken off");
  ingest_app->add_flag_callback(
      "--strict", [&ingest] { ingest.options.emplace_back("strict", "true"); },
      "refuse a row instead of repairing it or leaving out a field");
  const auto option = [&](const char* flag, const char* name, const char* help) {
    ingest_app->add_option_function<std::string>(
        flag,
        [&ingest, name](const std::string& value) { ingest.options.emplace_back(name, value); },
        help);
  };
  option("--mode", "mode", "upsert (default), create, update, delete or replace");
  option("--format", "format",
         "auto (default), jsonl, google-tsv, google-xml, shopify-csv, jsonld or csv");
  option("--columns", "columns",
         "of a plain CSV: Column=field,Column=field, or a mapping file (.yaml)");
  option("--currency", "currency",
         "of amounts that name none: EUR; unless given, that of the shop's prices");
  option("--locale", "locale", "of records that name none");
  option("--screen", "screen",
         "text that speaks to the assistant: off, flag (default) or quarantine");
  option("--dedupe", "dedupe",
         "off (default), report or skip products that are there under another id");
  option("--shrink-limit", "shrink_limit", "share of the products that replace may remove (20%)");
  ingest_app->callback([&ingest] {
    if (ingest.files.empty() && ingest.retry.empty() && ingest.documents.empty()) {
      throw CLI::RequiredError("FILE, --documents or --retry");
    }
  });
  return ingest_app;
}

CLI::App* AddAskCommand(CLI::App& app, AskCommand& ask, Flags& flags) {
  CLI::App* ask_app = app.add_subcommand("ask", "ask the assistant");
  AddServeFlags(*ask_app, flags);
  AddShopFlag(*ask_app, flags);
  ask_app->add_option("QUESTION", ask.question)->required();
  ask_app->add_option("--url", ask.url, "URL of the service");
  ask_app->add_option("--locale", ask.locale, "such as en-US or zh-CN");
  return ask_app;
}

CLI::App* AddSearchCommand(CLI::App& app, SearchCommand& search, Flags& flags) {
  CLI::App* search_app = app.add_subcommand("search", "search the catalog");
  AddDataFlags(*search_app, flags);
  AddShopFlag(*search_app, flags);
  search_app->add_option("QUERY", search.query)->required();
  search_app->add_option("--url", search.url, "URL of the service");
  search_app->add_option("--limit", search.limit, "how many")->check(CLI::Range(1, 100));
  search_app->add_option("--sort", search.sort,
                         "relevance, popularity, rating, price_asc, price_desc or newest");
  search_app->add_flag("--json", search.json, "print the reply as it is");
  search_app->add_flag("--facets", search.facets, "count brands, prices and other properties");
  return search_app;
}

/// `eval perplexity`; gives the inner command.
CLI::App* AddEvalPerplexity(CLI::App& command, EvalPerplexityCommand& eval) {
  CLI::App* perplexity = command.add_subcommand(
      "perplexity", "how well a model foretells a text: what quantisation costs");
  perplexity->add_option("MODEL", eval.model, "the model that is served unless given");
  perplexity->add_option("--text", eval.text, "JSON lines of {\"text\"} or {\"messages\"}")
      ->required();
  perplexity->add_option("--against", eval.against, "a model to compare with");
  perplexity->add_option("--window", eval.window, "tokens that are read together");
  perplexity->add_option("--kv-bits", eval.kv_bits, "of the elements of keys and values: 16 or 8")
      ->check(CLI::IsMember({16, 8}));
  perplexity->add_option("--isa", eval.isa, "reference, avx2, avx512 or avx512bf16");
  perplexity->add_option("--threads", eval.threads, "0: one per core")->check(CLI::Range(0, 1024));
  return perplexity;
}

/// `eval retrieval`; gives the inner command.
CLI::App* AddEvalRetrieval(CLI::App& command, EvalRetrievalCommand& eval, Flags& flags) {
  CLI::App* retrieval = command.add_subcommand(
      "retrieval", "how well searches rank what people judged, with intervals");
  AddDataFlags(*retrieval, flags);
  retrieval->add_option("--products", eval.products, "a feed to search instead of --data-dir");
  retrieval
      ->add_option("--judgments", eval.judgments,
                   "query, record id and grade between tabs, or TREC qrels")
      ->required();
  retrieval->add_option("--queries", eval.queries, "id and text between a tab, for qrels");
  retrieval
      ->add_option(
          "--mode", eval.modes,
          "baseline, bm25, vector, hybrid, reranked, tuned; bm25-plain, hybrid-plain, ...: "
          "without the words; compared with the first")
      ->delimiter(',');
  retrieval->add_option("--diff", eval.diff, "compare two TREC run files, search nothing")
      ->expected(2);
  retrieval->add_option("--run", eval.run, "write the last mode's ranking, TREC");
  retrieval->add_option("--qrels", eval.qrels, "write the judgments, TREC");
  retrieval->add_option("--features", eval.features,
                        "write what the reranker sees of each candidate, for training");
  retrieval->add_option("--ranker", eval.ranker,
                        "model of the reranker, or \"none\"; with {fold}, one for each of --folds");
  retrieval->add_option("--lexical-weight", eval.lexical_weight, "of the fusion, 0 to 1")
      ->check(CLI::Range(0.0, 1.0));
  retrieval->add_option("--diversity", eval.diversity, "of the results, 0 to 1")
      ->check(CLI::Range(0.0, 1.0));
  retrieval->add_flag("--tune-fields", eval.tune_fields,
                      "mode tuned: try weights of title, attributes and description, too");
  retrieval->add_option("--gain", eval.gain, "of a grade: 2^g-1, 2^(g-1)-1 or g")
      ->check(CLI::IsMember({"2^g-1", "2^(g-1)-1", "g"}));
  retrieval->add_option("--relevant-from", eval.relevant_from, "least grade that is relevant (1)");
  retrieval->add_option("--depth", eval.depth, "records a query (100)")->check(CLI::Range(1, 1000));
  retrieval->add_option("--folds", eval.folds, "tell by so many folds of the queries")
      ->check(CLI::Range(0, 100));
  retrieval->add_flag("--baseline-titles-only", eval.baseline_titles_only,
                      "the baseline reads no description and brand");
  retrieval->add_flag("--baseline-keeps-plurals", eval.baseline_keeps_plurals,
                      "the baseline keeps the ending of plurals");
  retrieval->add_flag("--per-query", eval.per_query, "every query, the greatest changes first");
  retrieval->add_flag("--json", eval.json, "one JSON object");
  return retrieval;
}

struct EvalApps {
  const CLI::App* perplexity;
  const CLI::App* retrieval;
};
EvalApps AddEvalCommands(CLI::App& app, EvalPerplexityCommand& perplexity,
                         EvalRetrievalCommand& retrieval, Flags& flags) {
  CLI::App* command = app.add_subcommand("eval", "measure quality");
  command->require_subcommand(1);
  return {AddEvalPerplexity(*command, perplexity), AddEvalRetrieval(*command, retrieval, flags)};
}

absl::Status ApplyFlags(const Flags& flags, Config& config) {
  if (!flags.config.empty()) {
    if (absl::Status status = LoadConfig(flags.config, config); !status.ok()) return status;
  }
  const std::pair<const std::string*, std::string*> texts[] = {
      {&flags.data_dir, &config.data_dir},     {&flags.shop, &config.shop},
      {&flags.listen, &config.listen},         {&flags.admin_listen, &config.admin_listen},
      {&flags.model, &config.model},           {&flags.embedder, &config.embedder},
      {&flags.images_dir, &config.images_dir}, {&flags.log_level, &config.log_level}};
  for (const auto& [flag, setting] : texts) {
    if (!flag->empty()) *setting = *flag;
  }
  if (IsValidShopName(config.shop)) return absl::OkStatus();
  return absl::InvalidArgumentError("shop: expected up to 63 of a-z, 0-9 and '-', found \"" +
                                    config.shop.substr(0, 64) + "\"");
}

}  // namespace

std::variant<CommandLine, int> ParseCommandLine(int argc, char** argv) {
  CLI::App app("Emptor: a shopping assistant that states only what the catalog holds.", "emptor");
  app.set_version_flag("--version", std::string("emptor ") + kVersion);
  app.require_subcommand(1);
  Flags flags;
  IngestCommand ingest;
  AskCommand ask;
  SearchCommand search;
  BenchCommands bench;

  CLI::App* serve_app = app.add_subcommand("serve", "everything in one process");
  AddServeFlags(*serve_app, flags);

  EngineServeCommand engine_serve;
  const CLI::App* engine_app = AddEngineServe(app, engine_serve, flags);

  const CLI::App* ingest_app = AddIngestCommand(app, ingest, flags);
  const CLI::App* ask_app = AddAskCommand(app, ask, flags);
  const CLI::App* search_app = AddSearchCommand(app, search, flags);

  ModelCommand model;
  const CLI::App* model_app = AddModelCommand(app, model, flags);
  const BenchApps bench_apps =
      AddBenchCommands(app, bench, [&flags](CLI::App& command) { AddSearchFlags(command, flags); });
  EvalPerplexityCommand perplexity;
  EvalRetrievalCommand retrieval;
  ShopCommand shop;
  const auto shop_apps =
      AddShopCommands(app, shop, [&flags](CLI::App& command) { AddDataFlags(command, flags); });
  const EvalApps eval_apps = AddEvalCommands(app, perplexity, retrieval, flags);

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error);
  }
  CommandLine line;
  line.config = DefaultConfig();
  if (absl::Status status = ApplyFlags(flags, line.config); !status.ok()) {
    std::fprintf(stderr, "emptor: %s\n", std::string(status.message()).c_str());
    return 2;
  }
  if (serve_app->parsed()) line.command = ServeCommand{};
  if (engine_app->parsed()) line.command = std::move(engine_serve);
  if (ingest_app->parsed()) line.command = std::move(ingest);
  if (ask_app->parsed()) line.command = std::move(ask);
  if (search_app->parsed()) line.command = std::move(search);
  if (model_app->parsed()) line.command = std::move(model);
  if (bench_apps.engine->parsed()) line.command = std::move(bench.engine);
  if (bench_apps.retrieval->parsed()) line.command = std::move(bench.retrieval);
  if (bench_apps.serve->parsed()) line.command = std::move(bench.serve);
  const bool is_shop = std::any_of(shop_apps.begin(), shop_apps.end(),
                                   [](const CLI::App* one) { return one->parsed(); });
  if (is_shop) line.command = std::move(shop);
  if (bench_apps.ingest->parsed()) line.command = bench.ingest;
  if (eval_apps.perplexity->parsed()) line.command = std::move(perplexity);
  if (eval_apps.retrieval->parsed()) line.command = std::move(retrieval);
  return line;
}

}  // namespace emptor::services
