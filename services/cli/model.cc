// emptor model: random models, other element types, and what a model file holds.
#include <cctype>
#include <cstdio>
#include <memory>
#include <string>

#include "engine/conversion/quantizer.h"
#include "engine/conversion/random_model.h"
#include "engine/loading/model_info.h"
#include "engine/loading/model_loader.h"
#include "services/cli/commands.h"

namespace emptor::services {
namespace {

struct ModelCommand {
  std::string file;     // to describe or to convert
  std::string adapter;  // of that model
  std::string output;   // to write, with elements of this type
  std::string type;
  std::string shape;  // of a random model, as engine::ModelShape::Parse reads it
  uint64_t seed = 1;
};

int PrintInfo(const ModelCommand& command) {
  const auto lines = engine::DescribeFile(command.file, command.adapter);
  if (!lines.ok()) return Fail(lines.status());
  for (const auto& [name, value] : *lines) {
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
  for (const engine::DType type : engine::kWritableDTypes) {
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

void AddTypeOption(Command command, std::string& type) {
  command.Add("--type", type, "f32, f16, bf16, q8_0, q4_0, q4_k or q6_k")
      .OneOf({"f32", "f16", "bf16", "q8_0", "q4_0", "q4_k", "q6_k"})
      .Default("q8_0");
}

}  // namespace

void AddModelCommand(Command root, SettingFlags& settings) {
  const auto options = std::make_shared<ModelCommand>();
  const Command model = root.AddCommand(
      "model", "get, describe, convert or make model files, or switch those of a service");
  model.RequireCommand();
  AddServiceModelCommands(model, settings);
  AddModelGetCommand(model, settings);
  AddModelFitCommand(model);
  const Command info = model.AddCommand("info", "describe a model or a LoRA adapter");
  info.Add("FILE", options->file, "GGUF, or a directory").Required();
  info.Add("--adapter", options->adapter, "LoRA adapter: is it one for this model?");
  info.OnRun([options] { return PrintInfo(*options); });
  const Command random = model.AddCommand("random", "write a model of random weights");
  random
      .Add("--shape", options->shape, "one of " + engine::ModelShapeNames() + ", or key=value,...")
      .Required();
  AddTypeOption(random, options->type);
  random.Add("--seed", options->seed, "equal seeds give equal files").Default("1");
  random.Add("--output", options->output, "the file to write").Required();
  random.OnRun([options] { return WriteRandom(*options); });
  const Command quantize =
      model.AddCommand("quantize", "write a model as GGUF of another element type");
  quantize.Add("IN", options->file, "GGUF, or a Hugging Face directory").Required();
  quantize.Add("OUT", options->output, "the GGUF file to write").Required();
  AddTypeOption(quantize, options->type);
  quantize.OnRun([options] { return Quantize(*options); });
}

}  // namespace emptor::services
