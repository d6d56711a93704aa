// emptor eval turns.
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <memory>
#include <sstream>
#include <utility>

#include "absl/strings/str_split.h"
#include "catalog/encoding/json.h"
#include "fmt/format.h"
#include "fmt/ranges.h"
#include "services/app/service_parts.h"
#include "services/assistant/reading/message_features.h"
#include "services/assistant/reading/turn_features.h"
#include "services/assistant/types/found_kinds.h"
#include "services/assistant/types/needs.h"
#include "services/cli/commands.h"
#include "services/eval/answer_cases.h"
#include "services/eval/labelled_turns.h"
#include "services/observability/log.h"

namespace emptor::services {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMaxTurns = 20;  // that are kept of a conversation

struct EvalTurnsCommand {
  std::vector<std::string> files;
  std::string cases;                  // conversations of eval answers, in the shop of the settings
  std::vector<std::string> messages;  // first messages, in the same shop
  bool bare = false;                  // labelled products have no categories
  std::string features;               // a file that is written
  bool failures = false;
};

/// A shop that is gone afterwards.
class ShopForOnce {
 public:
  explicit ShopForOnce(Config config) : config_(std::move(config)) {
    std::error_code error;
    config_.data_dir = (fs::temp_directory_path(error) / fmt::format("emptor-turns-{}", getpid()));
    config_.model = "none";
  }
  ~ShopForOnce() {
    parts_.reset();
    std::error_code error;
    fs::remove_all(config_.data_dir, error);
  }
  ShopForOnce(const ShopForOnce&) = delete;
  ShopForOnce& operator=(const ShopForOnce&) = delete;

  absl::Status Open(const std::vector<LabelledConversation>& conversations, bool bare) {
    std::string lines;
    for (const LabelledConversation& conversation : conversations) {
      for (const LabelledProduct& each : conversation.products) lines += LineOf(each, bare);
    }
    {
      auto shops = OpenShop(config_, /*create_if_missing=*/true);
      if (!shops.ok()) return shops.status();
      std::istringstream feed(lines);
      const auto report = shops->shop->writer().Import(feed, {}, {}, nullptr);
      if (!report.ok()) return report.status();
    }
    auto parts = OpenServiceParts(config_, /*create_if_missing=*/false);
    if (!parts.ok()) return parts.status();
    parts_ = *std::move(parts);
    return absl::OkStatus();
  }
  const ServiceParts& parts() const { return *parts_; }

 private:
  static std::string LineOf(const LabelledProduct& product, bool bare) {
    catalog::JsonWriter json;
    json.BeginObject().Key("id").String(product.id).Key("title").String(product.title);
    json.Key("brand").String(product.title.substr(0, product.title.find(' ')));
    if (!bare) json.Key("categories").BeginArray().String(product.goods).EndArray();
    json.Key("price").BeginObject().Key("amount").Int(product.price);
    json.Key("currency").String("USD").EndObject().EndObject();
    return json.Take() + "\n";
  }

  Config config_;
  std::unique_ptr<ServiceParts> parts_;
};

ReadSort SortOfReading(const Understanding& read) {
  const bool is_for_person = read.desk == DeskAct::kHuman || read.desk == DeskAct::kComplaint ||
                             read.desk == DeskAct::kOrder || read.desk == DeskAct::kCrisis ||
                             read.desk == DeskAct::kHarmful || read.desk == DeskAct::kMedical;
  if (read.asks_policy || is_for_person) return {TurnSort::kDesk};
  if (read.desk != DeskAct::kNone) return {TurnSort::kTalk};
  const bool is_about_shown = !read.referenced_products.empty() && !read.follows_up;
  return is_about_shown ? ReadSort{TurnSort::kShown, read.referenced_products}
                        : ReadSort{TurnSort::kFind};
}

RecordLookup RecordsOf(const ServiceParts& parts) {
  return [&shop = parts.shops.shop->reader()](const std::string& id) {
    auto product = shop.FindProduct(id);
    return product.ok() ? *std::move(product) : std::optional<catalog::Product>();
  };
}

/// A JSON object of what the rules read and of what the models look at; empty: nothing was shown.
std::string FeatureLine(const std::string& turn, const Understanding& read,
                        const std::vector<ConversationTurn>& before, const RecordLookup& records) {
  const TurnScene scene = MakeTurnScene(before, records);
  if (read.rules == nullptr || scene.empty()) return {};
  const Understanding& rules = *read.rules;
  const auto strings = [](catalog::JsonWriter& json, std::string_view name, const auto& texts) {
    std::vector<std::string> sorted(texts.begin(), texts.end());
    std::sort(sorted.begin(), sorted.end());
    json.Key(name).BeginArray();
    for (const std::string& each : sorted) json.String(each);
    json.EndArray();
  };
  const ReadSort sort = SortOfReading(read);
  catalog::JsonWriter json;
  json.BeginObject().Key("turn").String(turn).Key("sort").Int(static_cast<int>(sort.sort));
  json.Key("follows").Bool(read.follows_up || read.ranks_all);
  strings(json, "about", sort.about);
  strings(json, "letters", MessageFeatures(rules.message));
  strings(json, "kind", KindFeatures(rules, before.back(), scene));
  json.Key("products").BeginArray();
  const auto pointing = FindPointingFeatures(rules, scene);
  for (size_t i = 0; i < pointing.size(); ++i) {
    json.BeginObject().Key("id").String(scene.products[i].id);
    strings(json, "plain", pointing[i].plain);
    strings(json, "words", pointing[i].words);
    json.EndObject();
  }
  json.EndArray().EndObject();
  return json.Take() + "\n";
}

/// A JSON object of what speaks for each of the goods that a first message may look for; empty: the
/// rules alone decide.
std::string GoodsLine(const std::string& turn, const Understanding& read,
                      const LabelledConversation* conversation) {
  if (read.goods.empty()) return {};
  catalog::JsonWriter json;
  json.BeginObject().Key("turn").String(turn).Key("goods").BeginArray();
  for (const GoodsCandidate& each : read.goods) {
    const std::vector<std::string> help = HelpOf(each.type);
    json.BeginObject().Key("name").String(help.empty() ? each.type.name : help.front());
    json.Key("is_read").Bool(each.is_read).Key("features").BeginArray();
    for (const double value : each.features) json.Double(value);
    json.EndArray().EndObject();
  }
  json.EndArray();
  if (conversation != nullptr && !conversation->turns.front().acts.empty()) {
    const std::string& goods = conversation->turns.front().acts.front().goods;
    json.Key("label").String(goods).Key("kinds").BeginArray();
    for (const LabelledProduct& each : conversation->products) {
      catalog::Product product;
      product.title = each.title;
      if (each.goods == goods) json.String(KindOf(product, nullptr));
    }
    json.EndArray();
  }
  json.EndObject();
  return json.Take() + "\n";
}

/// The state after a turn that was answered as its label says.
ConversationTurn TurnAsLabelled(const LabelledTurn& turn, const ReadMessage& read,
                                const std::vector<ConversationTurn>& before,
                                const ShopProfile& profile) {
  const auto has = [&](TurnSort sort) {
    return std::any_of(turn.acts.begin(), turn.acts.end(),
                       [&](const LabelledAct& act) { return SortOf(act) == sort; });
  };
  const bool finds = has(TurnSort::kFind);
  ConversationTurn after;
  if (finds) after = read.turn;
  after.question = turn.say;
  after.language = read.turn.language;
  after.policy_question = finds ? "" : read.turn.policy_question;
  for (const LabelledAct& act : turn.acts) {
    if (act.goods.empty()) continue;
    after.type = FindProductType(act.goods, "en", profile);
    if (after.search_text.empty()) after.search_text = act.goods;
  }
  after.shown_products = after.cited_products = turn.shown;
  after.winner = turn.shown.size() == 1 ? turn.shown.front() : "";
  after.listed_products.clear();
  after.compared_products.clear();
  const bool refers = has(TurnSort::kShown) && !turn.shown.empty();
  const TurnKind kind = finds    ? TurnKind::kSearched
                        : refers ? TurnKind::kReferred
                                 : TurnKind::kNoProducts;
  return NextTurn(before, kind, std::move(after));
}

void Keep(ConversationTurn turn, std::vector<ConversationTurn>& turns) {
  turns.push_back(std::move(turn));
  if (turns.size() > kMaxTurns) turns.erase(turns.begin());
}

void PrintFailure(const std::string& turn, const LabelledTurn& labelled, const ReadSort& read) {
  static constexpr const char* kNames[] = {"find", "shown", "desk", "talk"};
  if (labelled.acts.empty()) return;
  const TurnSort sort = SortOf(labelled.acts.front());
  if (sort == read.sort && (sort != TurnSort::kShown || IsAboutSame(labelled, read.about))) return;
  std::printf("%s: %s | %s, read as %s of %s\n", turn.c_str(), labelled.say.c_str(),
              kNames[static_cast<int>(sort)], kNames[static_cast<int>(read.sort)],
              fmt::format("{}", fmt::join(read.about, " ")).c_str());
}

absl::Status ReadConversation(const LabelledConversation& conversation, const ServiceParts& parts,
                              bool prints_failures, TurnAgreement& agreement,
                              std::string& features) {
  const auto profile = parts.shops.shop->reader().profile();
  const RecordLookup records = RecordsOf(parts);
  std::vector<ConversationTurn> turns;
  for (size_t i = 0; i < conversation.turns.size(); ++i) {
    const LabelledTurn& labelled = conversation.turns[i];
    const auto read = parts.assistant->Read(labelled.say, turns);
    if (!read.ok()) return read.status();
    const ReadSort sort = SortOfReading(read->understanding);
    const std::string name = fmt::format("{}#{}", conversation.id, i + 1);
    agreement.Add(labelled, sort);
    const auto& cards = read->turn.shown_products;
    const auto card =
        sort.sort == TurnSort::kFind && !cards.empty() ? records(cards.front()) : std::nullopt;
    agreement.AddCard(labelled, card && !card->categories.empty() ? card->categories.front() : "");
    if (prints_failures) PrintFailure(name, labelled, sort);
    features += i == 0 ? GoodsLine(name, read->understanding, &conversation)
                       : FeatureLine(name, read->understanding, turns, records);
    Keep(TurnAsLabelled(labelled, *read, turns, *profile), turns);
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<LabelledConversation>> ReadLabelled(const std::string& path) {
  const auto text = ReadFile(path);
  if (!text.ok()) return text.status();
  auto parsed = ParseLabelledTurns(fs::path(path).stem().string(), *text);
  if (!parsed.ok()) {
    return absl::InvalidArgumentError(
        fmt::format("{}: {}", path, std::string(parsed.status().message())));
  }
  return parsed;
}

absl::Status MeasureFiles(const Config& config, const EvalTurnsCommand& command,
                          std::string& features) {
  std::vector<std::vector<LabelledConversation>> files;
  std::vector<LabelledConversation> all;
  for (const std::string& path : command.files) {
    auto read = ReadLabelled(path);
    if (!read.ok()) return read.status();
    all.insert(all.end(), read->begin(), read->end());
    files.push_back(*std::move(read));
  }
  ShopForOnce shop(config);
  if (absl::Status status = shop.Open(all, command.bare); !status.ok()) return status;
  std::printf("%-16s %6s %10s %8s %20s %20s\n", "file", "turns", "first act", "any act",
              "products, of turns", "first card, of turns");
  for (size_t i = 0; i < files.size(); ++i) {
    TurnAgreement found;
    for (const LabelledConversation& conversation : files[i]) {
      absl::Status status =
          ReadConversation(conversation, shop.parts(), command.failures, found, features);
      if (!status.ok()) return status;
    }
    const double turns = std::max(1, found.turns), shown = std::max(1, found.shown);
    std::printf("%-16s %6d %10.3f %8.3f %12.3f %7d %12.3f %7d\n",
                fs::path(command.files[i]).filename().c_str(), found.turns, found.first / turns,
                found.any / turns, found.pointed / shown, found.shown,
                static_cast<double>(found.found) / std::max(1, found.finds), found.finds);
  }
  return absl::OkStatus();
}

/// Of answers that `emptor eval answers --json` judges: the turns of the same names.
absl::Status FeaturesOfCases(const Config& config, const EvalTurnsCommand& command,
                             std::string& features) {
  const auto text = ReadFile(command.cases);
  if (!text.ok()) return text.status();
  const auto cases = ParseCases(*text);
  if (!cases.ok()) return cases.status();
  const auto parts = OpenServiceParts(config, /*create_if_missing=*/false);
  if (!parts.ok()) return parts.status();
  for (const CaseConversation& conversation : *cases) {
    std::vector<ConversationTurn> turns;
    for (size_t i = 0; i < conversation.turns.size(); ++i) {
      auto read = (*parts)->assistant->Read(conversation.turns[i].say, turns);
      if (!read.ok()) continue;  // an empty message, or one that is too long
      if (!conversation.is_sealed()) {
        const std::string name = fmt::format("{}#{}", conversation.id, i + 1);
        features += i == 0 ? GoodsLine(name, read->understanding, nullptr)
                           : FeatureLine(name, read->understanding, turns, RecordsOf(**parts));
      }
      Keep(std::move(read->turn), turns);
    }
  }
  return absl::OkStatus();
}

/// Of each line of a file of needs (data/eval/needs/README.md) that is open.
absl::Status FeaturesOfMessages(const Config& config, const EvalTurnsCommand& command,
                                std::string& features) {
  const auto parts = OpenServiceParts(config, /*create_if_missing=*/false);
  if (!parts.ok()) return parts.status();
  for (const std::string& path : command.messages) {
    const auto text = ReadFile(path);
    if (!text.ok()) return text.status();
    std::istringstream lines(*text);
    size_t number = 0;
    for (std::string line; std::getline(lines, line);) {
      ++number;
      const std::vector<std::string> fields = absl::StrSplit(line, '\t');
      if (fields.size() != 4) {
        return absl::InvalidArgumentError(
            fmt::format("{}:{}: {} fields, expected 4: open or sealed, language, message, types",
                        path, number, fields.size()));
      }
      if (fields[0] != "open") continue;
      const auto read = (*parts)->assistant->Read(fields[2], {});
      if (!read.ok()) return read.status();
      const std::string name = fmt::format("{}#{}", fs::path(path).stem().string(), number);
      features += GoodsLine(name, read->understanding, nullptr);
    }
  }
  return absl::OkStatus();
}

int RunEvalTurns(const Config& config, const EvalTurnsCommand& command) {
  SetLogLevel("off");
  std::string features;
  absl::Status status =
      command.files.empty() ? absl::OkStatus() : MeasureFiles(config, command, features);
  if (status.ok() && !command.cases.empty()) status = FeaturesOfCases(config, command, features);
  if (status.ok() && !command.messages.empty()) {
    status = FeaturesOfMessages(config, command, features);
  }
  if (status.ok() && !command.features.empty()) status = WriteFile(command.features, features);
  return status.ok() ? 0 : FailForShop(config, status);
}

}  // namespace

void AddEvalTurnsCommand(Command eval, SettingFlags& settings) {
  const auto options = std::make_shared<EvalTurnsCommand>();
  const Command command =
      eval.AddCommand("turns", "read labelled conversations and count how often rightly");
  settings.AddForServe(command);
  settings.AddShop(command);
  command.Add("FILE", options->files, "labelled conversations, as those of data/turns");
  command.Add("--cases", options->cases,
              "read the conversations of a case file, too, in the shop of the settings");
  command.Add("--messages", options->messages,
              "read the first messages of these files, too, in the shop of the settings");
  command.AddSwitch("--bare", options->bare, "leave out the categories of labelled products");
  command.Add("--features", options->features,
              "write what the models of turns look at to this file, one JSON object a turn");
  command.AddSwitch("--failures", options->failures, "print each turn that is read wrongly");
  settings.OnRun(
      command, [options](const Config& config) { return RunEvalTurns(config, *options); },
      [options] {
        const bool has_none =
            options->files.empty() && options->cases.empty() && options->messages.empty();
        return has_none ? "FILE" : "";
      });
}

}  // namespace emptor::services
