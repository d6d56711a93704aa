// emptor model: random models, other element types, and what a model file holds.
#include <cctype>
#include <cstdio>
#include <string>

#include "engine/conversion/quantizer.h"
#include "engine/conversion/random_model.h"
#include "engine/loading/model_info.h"
#include "engine/loading/model_loader.h"
#include "services/cli/commands.h"

namespace emptor::services {
namespace {

int PrintInfo(const std::string& path) {
  const auto source = engine::LoadModelSource(path);
  if (!source.ok()) return Fail(source.status());
  for (const auto& [name, value] : engine::DescribeModel(**source)) {
    std::printf("%-13s %s\n", name.c_str(), value.c_str());
  }
  return 0;
}

std::string LowerCaseName(engine::DType type) {
  std::string name(engine::DTypeName(type));
  for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return name;
}

/// The command line has checked the name.
engine::DType TypeNamed(const std::string& name) {
  engine::DType found = engine::DType::kQ8_0;
  for (const engine::DType type : engine::kAllDTypes) {
    if (LowerCaseName(type) == name) found = type;
  }
  return found;
}

int Quantize(const ModelCommand& command) {
  const auto source = engine::LoadModelSource(command.file);
  if (!source.ok()) return Fail(source.status());
  const auto result = engine::QuantizeModel(**source, TypeNamed(command.type), command.output);
  if (!result.ok()) return Fail(result.status());
  for (const std::string& note : result->notes) std::printf("%s\n", note.c_str());
  std::printf("%s: %llu bytes", command.output.c_str(),
              static_cast<unsigned long long>(result->bytes));
  for (const auto& [type, count] : result->tensors) {
    std::printf(", %d tensors of %s", count, std::string(engine::DTypeName(type)).c_str());
  }
  std::printf("\n");
  return 0;
}

int WriteRandom(const ModelCommand& command) {
  const auto shape = engine::ModelShape::Parse(command.shape);
  if (!shape.ok()) return Fail(shape.status());
  engine::RandomModelOptions options;
  options.shape = *shape;
  options.seed = command.seed;
  options.type = TypeNamed(command.type);
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
    case ModelCommand::Action::kQuantize:
      return Quantize(command);
    default:
      return RunServiceModel(config, command);
  }
}

}  // namespace emptor::services
