// emptor model: random models, and what a model file holds.
#include <cstdio>
#include <string>

#include "engine/model/gguf_file.h"
#include "engine/model_info.h"
#include "engine/random_model.h"
#include "services/cli/commands.h"

namespace emptor::services {
namespace {

int PrintInfo(const std::string& path) {
  const auto file = engine::GgufFile::Load(path);
  if (!file.ok()) return Fail(file.status());
  for (const auto& [name, value] : engine::DescribeModel(**file)) {
    std::printf("%-13s %s\n", name.c_str(), value.c_str());
  }
  return 0;
}

int WriteRandom(const ModelCommand& command) {
  const auto shape = engine::ModelShape::Parse(command.shape);
  if (!shape.ok()) return Fail(shape.status());
  engine::RandomModelOptions options;
  options.shape = *shape;
  options.seed = command.seed;
  if (command.type == "f32") options.type = engine::DType::kF32;
  if (command.type == "bf16") options.type = engine::DType::kBF16;
  if (command.type == "f16") options.type = engine::DType::kF16;
  const auto bytes = engine::WriteRandomModel(options, command.output);
  if (!bytes.ok()) return Fail(bytes.status());
  std::printf("%s: %llu bytes\n", command.output.c_str(), static_cast<unsigned long long>(*bytes));
  return 0;
}

}  // namespace

int RunModel(const Config& config, const ModelCommand& command) {
  switch (command.action) {
    case ModelCommand::Action::kInfo:
      return PrintInfo(command.file);
    case ModelCommand::Action::kRandom:
      return WriteRandom(command);
    default:
      return RunServiceModel(config, command);
  }
}

}  // namespace emptor::services
