// emptor faq: the FAQ of a shop, in this process or through the service that holds the data
// directory.
#include <fmt/format.h>

#include <cstdio>
#include <fstream>
#include <functional>
#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "catalog/encoding/json.h"
#include "catalog/faq/faq_export.h"
#include "services/cli/commands.h"
#include "services/cli/faq_target.h"

namespace emptor::services {
namespace {

constexpr size_t kReadBytes = 64u << 10;

struct FaqCommand {
  std::vector<std::string> files;
  std::vector<std::string> ids;
  std::string url, question, locale, format, out;
  bool dry_run = false, json = false, broken = false, quiet = false;
  int limit = 1000;
  int groups = 20;
  uint64_t after = 0;
};

void Print(const std::string& line) { std::printf("%s\n", line.c_str()); }

std::string TextOf(const catalog::JsonValue& object, std::string_view name) {
  const catalog::JsonValue* member = object.Find(name);
  return member != nullptr && member->is_string() ? member->as_string() : std::string();
}

double NumberOf(const catalog::JsonValue& object, std::string_view name) {
  const catalog::JsonValue* member = object.Find(name);
  return member != nullptr && member->is_number() ? member->as_double() : 0;
}

absl::Status ImportFile(FaqTarget& target, const FaqCommand& command, const std::string& name,
                        catalog::FaqImportCounts& total) {
  std::ifstream file;
  if (name != "-") file.open(name, std::ios::binary);
  std::istream& stream = name == "-" ? std::cin : file;
  if (!stream) return absl::NotFoundError(name + ": cannot be read");
  catalog::FaqImportOptions options = target.ImportOptions(command.dry_run);
  options.locale = command.locale;
  if (command.format == "csv") options.format = catalog::FaqFormat::kCsv;
  if (command.format == "jsonl") options.format = catalog::FaqFormat::kJsonl;
  catalog::FaqImporter importer(std::move(options), [&](const catalog::FaqLineResult& result) {
    if (command.quiet && !result.is_refused && result.warnings.empty()) return;
    Print((command.files.size() > 1 ? name + ": " : "") + ToString(result));
  });
  absl::Status status;
  std::vector<char> buffer(kReadBytes);
  while (status.ok() && stream) {
    stream.read(buffer.data(), static_cast<std::streamsize>(buffer.size()));
    status = importer.Push({buffer.data(), static_cast<size_t>(stream.gcount())});
  }
  const absl::Status finished = importer.Finish();
  total.created += importer.counts().created;
  total.updated += importer.counts().updated;
  total.unchanged += importer.counts().unchanged;
  total.refused += importer.counts().refused;
  if (status.ok()) status = finished;
  if (status.ok()) return status;
  return absl::Status(status.code(), name + ": " + std::string(status.message()));
}

int RunImport(FaqTarget& target, const FaqCommand& command) {
  catalog::FaqImportCounts total;
  absl::Status status;
  for (const std::string& file : command.files) {
    status = ImportFile(target, command, file, total);
    if (!status.ok()) break;
  }
  std::fflush(stdout);
  std::fprintf(stderr, "%s\n",
               fmt::format("{}{} created, {} updated, {} unchanged, {} refused",
                           command.dry_run ? "nothing is written: " : "", total.created,
                           total.updated, total.unchanged, total.refused)
                   .c_str());
  if (!status.ok()) return Fail(status);
  return total.refused == 0 ? 0 : 1;
}

int RunExport(FaqTarget& target, const FaqCommand& command) {
  std::ofstream file;
  if (!command.out.empty()) file.open(command.out, std::ios::binary | std::ios::trunc);
  std::ostream& stream = command.out.empty() ? std::cout : file;
  const bool is_csv =
      command.format == "csv" || (command.format.empty() && command.out.ends_with(".csv"));
  if (is_csv) stream << catalog::FaqCsvHeader();
  absl::Status status = target.Visit([&](const ListedFaqEntry& listed) {
    stream << (is_csv ? catalog::FaqCsvRecord(listed.entry) : catalog::FaqJsonLine(listed.entry));
    return stream.good();
  });
  stream.flush();
  if (status.ok() && !stream.good()) {
    status = absl::UnavailableError(command.out + ": cannot be written");
  }
  return status.ok() ? 0 : Fail(status);
}

int RunLookup(FaqTarget& target, const FaqCommand& command) {
  const auto reply = target.LookUp(command.question, command.locale);
  if (!reply.ok()) return Fail(reply.status());
  if (command.json) {
    Print(*reply);
    return 0;
  }
  const auto json = catalog::ParseJson(*reply);
  if (!json.ok()) return Fail(json.status());
  const std::string decision = TextOf(*json, "decision");
  Print("decision: " + decision);
  if (decision == "hit") {
    Print(fmt::format("question: {}\nanswer: {}\nid: {}\nconfidence: {:.3f}",
                      TextOf(*json, "question"), TextOf(*json, "answer"), TextOf(*json, "id"),
                      NumberOf(*json, "confidence")));
  }
  const catalog::JsonValue* others = json->Find("alternatives");
  for (size_t i = 0; others != nullptr && i < others->as_array().size(); ++i) {
    const catalog::JsonValue& each = others->as_array()[i];
    Print(fmt::format("{} {:.3f}  {}  ({})", i == 0 ? "may be meant:" : "             ",
                      NumberOf(each, "confidence"), TextOf(each, "question"), TextOf(each, "id")));
  }
  return 0;
}

int RunList(FaqTarget& target, const FaqCommand& command) {
  int shown = 0;
  absl::Status status = target.Visit([&](const ListedFaqEntry& listed) {
    if (command.broken && listed.broken.empty()) return true;
    if (shown++ == command.limit) return false;
    const catalog::FaqEntry& entry = listed.entry;
    Print(fmt::format("{}\tv{}\t{}\t{}\t{}", entry.id, entry.version, listed.status,
                      entry.locale.empty() ? "any" : entry.locale, entry.questions.front()));
    for (const std::string& each : listed.broken) Print("\tbroken: " + each);
    return true;
  });
  return status.ok() ? 0 : Fail(status);
}

int RunDelete(FaqTarget& target, const FaqCommand& command) {
  int code = 0;
  for (const std::string& id : command.ids) {
    const absl::Status status = target.Delete(id);
    if (status.ok()) Print("deleted " + id);
    if (!status.ok()) code = Fail(status);
  }
  return code;
}

int RunChanges(FaqTarget& target, const FaqCommand& command) {
  const auto reply = target.Changes(command.after, static_cast<size_t>(command.limit));
  if (!reply.ok()) return Fail(reply.status());
  Print(*reply);
  return 0;
}

/// "12 questions, the last on 2026-11-28": a group, its examples, the nearest entry.
void PrintSuggestion(const catalog::JsonValue& group) {
  const catalog::JsonValue* const examples = group.Find("examples");
  const catalog::JsonValue* const nearest = group.Find("nearest");
  const auto count = static_cast<int64_t>(NumberOf(group, "count"));
  Print(fmt::format("{} question{}, the last on {}", count, count == 1 ? "" : "s",
                    TextOf(group, "last_asked").substr(0, 10)));
  if (examples != nullptr && examples->is_array()) {
    for (const catalog::JsonValue& example : examples->as_array()) {
      if (example.is_string()) Print("  " + example.as_string());
    }
  }
  if (nearest != nullptr && nearest->is_object()) {
    Print(fmt::format("  nearest entry: {}: {} ({:.2f})", TextOf(*nearest, "id"),
                      TextOf(*nearest, "question"), NumberOf(*nearest, "confidence")));
  }
}

int RunSuggest(FaqTarget& target, const FaqCommand& command) {
  const auto reply = target.Suggestions(static_cast<size_t>(command.groups));
  if (!reply.ok()) return Fail(reply.status());
  if (command.json) {
    Print(*reply);
    return 0;
  }
  const auto json = catalog::ParseJson(*reply);
  if (!json.ok()) return Fail(json.status());
  const catalog::JsonValue* const groups = json->Find("suggestions");
  Print(fmt::format("{:.0f} questions about the shop in the traces; {:.0f} are answered by now",
                    NumberOf(*json, "questions"), NumberOf(*json, "answered")));
  if (groups == nullptr || !groups->is_array()) return 0;
  for (const catalog::JsonValue& group : groups->as_array()) PrintSuggestion(group);
  return 0;
}

using Run = int (*)(FaqTarget&, const FaqCommand&);

Command AddAction(Command faq, const char* name, const char* help, Run run,
                  const std::shared_ptr<FaqCommand>& typed, SettingFlags& settings,
                  std::function<std::string()> missing = nullptr) {
  const Command command = faq.AddCommand(name, help);
  settings.AddForData(command);
  settings.AddShop(command);
  settings.AddApiKey(command);
  command.Add("--url", typed->url, "URL of the service (the one that holds the data directory)");
  settings.OnRun(
      command,
      [typed, run](const Config& config) {
        const auto target = OpenFaqTarget(typed->url, config);
        return target.ok() ? run(**target, *typed) : FailForShop(config, target.status());
      },
      std::move(missing));
  return command;
}

}  // namespace

void AddFaqCommands(Command root, SettingFlags& settings) {
  const auto typed = std::make_shared<FaqCommand>();
  const Command faq = root.AddCommand("faq", "questions and answers that the staff writes");
  faq.RequireCommand();
  AddFaqTuneCommand(faq, settings);
  const Command import =
      AddAction(faq, "import", "import entries; the same file again changes nothing", RunImport,
                typed, settings, [typed] { return typed->files.empty() ? "FILE" : ""; });
  import.Add("FILE", typed->files, "CSV or JSON lines; - is standard input");
  import.Add("--format", typed->format, "csv or jsonl (by the first character)")
      .OneOf({"csv", "jsonl"});
  import.Add("--locale", typed->locale, "of entries that name none");
  import.AddSwitch("--dry-run", typed->dry_run, "say what would change; write nothing");
  import.AddSwitch("--quiet", typed->quiet, "print refused lines and warnings alone");
  const Command exported =
      AddAction(faq, "export", "write all entries, for import", RunExport, typed, settings);
  exported.Add("--format", typed->format, "csv or jsonl (by the name of the file, else jsonl)")
      .OneOf({"csv", "jsonl"});
  exported.Add("--out", typed->out, "file to write (standard output)");
  const Command lookup =
      AddAction(faq, "lookup", "find the answer to a question", RunLookup, typed, settings);
  lookup.Add("QUESTION", typed->question).Required();
  lookup.Add("--locale", typed->locale, "of the question, such as en-US");
  lookup.AddSwitch("--json", typed->json, "print the reply as JSON");
  const Command list = AddAction(faq, "list", "list entries: id, version, status, locale, question",
                                 RunList, typed, settings);
  list.Add("--limit", typed->limit, "number of entries").Range(1, 1000000000);
  list.AddSwitch("--broken", typed->broken, "only those with a reference that cannot be filled");
  const Command erase = AddAction(faq, "delete", "delete entries", RunDelete, typed, settings);
  erase.Add("ID", typed->ids, "as `emptor faq list` prints them").Required();
  const Command suggest = AddAction(
      faq, "suggest", "group the questions of shoppers that no entry answers, from traces",
      RunSuggest, typed, settings);
  suggest.Add("--limit", typed->groups, "number of groups, most frequent first").Range(1, 1000);
  suggest.AddSwitch("--json", typed->json, "print the groups as JSON");
  const Command changes = AddAction(faq, "changes", "print who changed which entry, as JSON",
                                    RunChanges, typed, settings);
  changes.Add("--after", typed->after, "number of the change to begin behind");
  changes.Add("--limit", typed->limit, "number of changes").Range(1, 1000);
}

}  // namespace emptor::services
