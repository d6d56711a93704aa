// Files, commands, names in PromQL.
#include "tests/deploy/deploy_support.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "tests/integration/service_process.h"

namespace emptor::testing {
namespace {

bool IsNameCharacter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == ':';
}

/// Words that are no metric although no parenthesis follows them at once.
bool IsKeyword(const std::string& word) {
  static const std::set<std::string> kKeywords = {"and", "or",  "unless", "bool", "offset", "inf",
                                                  "sum", "min", "max",    "avg",  "count",  "topk"};
  return kKeywords.contains(word);
}

bool TakesLabels(const std::string& word) {
  return word == "by" || word == "on" || word == "without" || word == "ignoring" ||
         word == "group_left" || word == "group_right";
}

/// Reads the words of an expression one after another.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  std::vector<MetricUse> Read() {
    while (at_ < text_.size()) Step();
    return std::move(uses_);
  }

 private:
  void Step() {
    const char c = text_[at_];
    if (c == '"' || c == '\'') {
      SkipQuoted();
    } else if (c == '[') {
      at_ = std::min(text_.find(']', at_), text_.size() - 1) + 1;
    } else if (c == '{') {
      if (uses_.empty()) throw std::runtime_error("a selector without a name");
      AddLabels('}', uses_.back().labels);
    } else if (std::isdigit(static_cast<unsigned char>(c)) != 0) {
      while (at_ < text_.size() && (IsNameCharacter(text_[at_]) || text_[at_] == '.')) ++at_;
    } else if (IsNameCharacter(c)) {
      Word();
    } else {
      ++at_;
    }
  }

  void Word() {
    const std::string word = TakeWord();
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    const bool is_call = at_ < text_.size() && text_[at_] == '(';
    if (TakesLabels(word)) {
      if (is_call) AddLabels(')', grouped_by_);
    } else if (!is_call && !IsKeyword(word)) {
      uses_.push_back({word, std::exchange(grouped_by_, {})});
    }
  }

  std::string TakeWord() {
    const size_t begin = at_;
    while (at_ < text_.size() && IsNameCharacter(text_[at_])) ++at_;
    return std::string(text_.substr(begin, at_ - begin));
  }

  /// The names in front of matchers, or in a list, up to `end`.
  void AddLabels(char end, std::set<std::string>& labels) {
    ++at_;
    while (at_ < text_.size() && text_[at_] != end) {
      if (text_[at_] == '"' || text_[at_] == '\'') {
        SkipQuoted();
      } else if (IsNameCharacter(text_[at_])) {
        labels.insert(TakeWord());
      } else {
        ++at_;
      }
    }
    ++at_;
  }

  void SkipQuoted() {
    const char quote = text_[at_++];
    while (at_ < text_.size() && text_[at_] != quote) at_ += text_[at_] == '\\' ? 2 : 1;
    ++at_;
  }

  const std::string_view text_;
  size_t at_ = 0;
  std::vector<MetricUse> uses_;
  std::set<std::string> grouped_by_;  // labels in front of the metric that comes next
};

/// Names of the labels of a line of the exposition format behind its `{`.
void AddLineLabels(std::string_view line, std::set<std::string>& labels) {
  for (size_t at = 0; at < line.size() && line[at] != '}';) {
    const size_t equals = line.find("=\"", at);
    if (equals == std::string_view::npos) return;
    labels.insert(std::string(line.substr(at, equals - at)));
    at = equals + 2;
    while (at < line.size() && line[at] != '"') at += line[at] == '\\' ? 2 : 1;
    at += line.substr(at, 2) == "\"," ? 2 : 1;
  }
}

}  // namespace

std::string ReadSource(const std::string& relative) {
  std::ifstream file(SourcePath(relative), std::ios::binary);
  if (!file.is_open()) throw std::runtime_error(relative + ": cannot be read");
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<std::string> FilesIn(const std::string& folder, const std::string& extension) {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(SourcePath(folder))) {
    if (entry.path().extension() != extension) continue;
    files.push_back(folder + "/" + entry.path().filename().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

CommandResult RunShell(const std::string& command) {
  ChildProcess process({"/bin/sh", "-c", "cd '" + SourcePath("") + "' && " + command});
  CommandResult result;
  result.code = process.Wait(std::chrono::milliseconds(60000));
  result.output = process.output();
  return result;
}

void WriteScript(const std::string& path, const std::string& text) {
  std::ofstream(path) << "#!/bin/sh\n" << text;
  std::filesystem::permissions(path, std::filesystem::perms::owner_all);
}

void AddMetrics(std::string_view text, MetricLabels& metrics) {
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line[0] == '#') continue;
    const size_t end = line.find_first_of("{ ");
    if (end == std::string::npos) continue;
    std::set<std::string>& labels = metrics[line.substr(0, end)];
    if (line[end] == '{') AddLineLabels(std::string_view(line).substr(end + 1), labels);
  }
}

std::vector<MetricUse> MetricsOf(std::string_view expression) { return Reader(expression).Read(); }

}  // namespace emptor::testing
