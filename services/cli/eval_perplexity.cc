// emptor eval perplexity.
#include <cstdio>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "engine/quality/perplexity.h"
#include "fmt/format.h"
#include "services/cli/commands.h"

namespace emptor::services {
namespace {

struct EvalPerplexityCommand {
  std::string model;    // empty: the one that would be served
  std::string text;     // a file as engine::ParseQualityTexts reads it
  std::string against;  // another model to compare with; empty: none
  std::string isa;      // empty: the best there is
  int window = 1024;
  int threads = 0;
  int kv_bits = 16;
};

absl::StatusOr<std::vector<engine::QualityText>> ReadTexts(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return absl::NotFoundError(path + ": cannot be read");
  std::ostringstream bytes;
  bytes << file.rdbuf();
  auto texts = engine::ParseQualityTexts(bytes.str());
  if (!texts.ok()) {
    return absl::Status(texts.status().code(),
                        fmt::format("{}: {}", path, std::string(texts.status().message())));
  }
  return texts;
}

absl::StatusOr<engine::Perplexity> Measure(const std::string& model,
                                           const std::vector<engine::QualityText>& texts,
                                           const engine::PerplexityOptions& options) {
  auto result = engine::MeasurePerplexity(model, texts, options);
  if (result.ok()) {
    std::printf("%s: perplexity %.5f over %lld tokens\n", model.c_str(), result->value(),
                static_cast<long long>(result->tokens));
  }
  return result;
}

int RunEvalPerplexity(const Config& config, const EvalPerplexityCommand& command) {
  engine::PerplexityOptions options{.threads = command.threads, .window = command.window};
  if (command.kv_bits == 8) options.kv_type = engine::KvType::kInt8;
  if (!command.isa.empty()) {
    const auto isa = engine::FindIsa(command.isa);
    if (!isa) return Fail(absl::InvalidArgumentError("--isa: unknown: " + command.isa));
    options.isa = *isa;
  }
  const auto texts = ReadTexts(command.text);
  if (!texts.ok()) return Fail(texts.status());
  const auto own = Measure(command.model.empty() ? config.model : command.model, *texts, options);
  if (!own.ok()) return Fail(own.status());
  if (command.against.empty()) return 0;
  const auto other = Measure(command.against, *texts, options);
  if (!other.ok()) return Fail(other.status());
  if (own->tokens != other->tokens) {
    return Fail(absl::InvalidArgumentError(
        "--against: the models cut the text into tokens differently; the figures do not compare"));
  }
  std::printf("difference: %+.4f %%\n", 100 * (own->value() / other->value() - 1));
  return 0;
}

}  // namespace

void AddEvalPerplexityCommand(Command eval, SettingFlags& settings) {
  const auto options = std::make_shared<EvalPerplexityCommand>();
  const Command command =
      eval.AddCommand("perplexity", "perplexity of a model on a text: the cost of quantisation");
  command.Add("MODEL", options->model, "model file (the model that is served)");
  command.Add("--text", options->text, "JSON lines of {\"text\"} or {\"messages\"}").Required();
  command.Add("--against", options->against, "a model to compare with");
  command.Add("--window", options->window, "tokens of one window");
  command.Add("--kv-bits", options->kv_bits, "bits of the elements of keys and values: 16 or 8")
      .OneOfNumbers({16, 8});
  command.Add("--isa", options->isa, "reference, avx2, avx512 or avx512bf16");
  command.Add("--threads", options->threads, "0: one per core").Range(0, 1024);
  settings.OnRun(command,
                 [options](const Config& config) { return RunEvalPerplexity(config, *options); });
}

}  // namespace emptor::services
