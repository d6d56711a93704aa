// emptor eval perplexity.
#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "engine/quality/perplexity.h"
#include "fmt/format.h"
#include "services/cli/commands.h"

namespace emptor::services {
namespace {

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

}  // namespace

int RunEvalPerplexity(const Config& config, const EvalPerplexityCommand& command) {
  engine::PerplexityOptions options{.threads = command.threads, .window = command.window};
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

}  // namespace emptor::services
