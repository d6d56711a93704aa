// Commands on CLI11.
#include "services/cli/command.h"

#include <CLI/CLI.hpp>
#include <cstdint>
#include <iterator>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace emptor::services {
namespace {

/// The first word of the line where a command was due and none has that name; empty where there is
/// none.
std::string UnknownCommand(const CLI::App& root) {
  const CLI::App* app = &root;
  while (!app->get_subcommands().empty()) app = app->get_subcommands().front();
  if (app->get_require_subcommand_min() == 0) return "";
  const std::vector<std::string> words = app->remaining();
  return words.empty() || words.front().starts_with('-') ? "" : words.front();
}

/// Help with the flags that exclude one another in the order of their names: CLI11 keeps them by
/// address, so that its order differs from run to run.
class HelpFormatter : public CLI::Formatter {
 public:
  std::string make_option_opts(const CLI::Option* option) const override {
    constexpr std::string_view kExcludes = " Excludes:";
    const std::string text = CLI::Formatter::make_option_opts(option);
    const size_t at = text.find(kExcludes);
    if (at == std::string::npos) return text;
    std::istringstream words(text.substr(at + kExcludes.size()));
    std::set<std::string> names{std::istream_iterator<std::string>(words), {}};
    std::string sorted = text.substr(0, at + kExcludes.size());
    for (const std::string& name : names) sorted += " " + name;
    return sorted;
  }
};

}  // namespace

Flag Flag::Required() {
  option_->required();
  return *this;
}
Flag Flag::Range(int low, int high) {
  option_->check(CLI::Range(low, high));
  return *this;
}
Flag Flag::Range(double low, double high) {
  option_->check(CLI::Range(low, high));
  return *this;
}
Flag Flag::OneOf(const std::vector<std::string>& values) {
  option_->check(CLI::IsMember(values));
  return *this;
}
Flag Flag::OneOfNumbers(const std::vector<int>& values) {
  option_->check(CLI::IsMember(values));
  return *this;
}
Flag Flag::Delimiter(char delimiter) {
  option_->delimiter(delimiter);
  return *this;
}
Flag Flag::Count(int elements) {
  option_->expected(elements);
  return *this;
}
Flag Flag::Environment(const std::string& variable) {
  option_->envname(variable);
  return *this;
}
Flag Flag::Default(const std::string& value) {
  option_->default_val(value);
  return *this;
}
Flag Flag::Excludes(Flag other) {
  option_->excludes(other.option_);
  return *this;
}

Command Command::AddCommand(const std::string& name, const std::string& help) const {
  return {app_->add_subcommand(name, help), chosen_};
}

void Command::RequireCommand() const { app_->require_subcommand(1); }

template <typename Value>
Flag Command::Add(const std::string& name, Value& value, const std::string& help) const {
  return Flag(app_->add_option(name, value, help));
}
template Flag Command::Add(const std::string&, std::string&, const std::string&) const;
template Flag Command::Add(const std::string&, int&, const std::string&) const;
template Flag Command::Add(const std::string&, uint64_t&, const std::string&) const;
template Flag Command::Add(const std::string&, double&, const std::string&) const;
template Flag Command::Add(const std::string&, std::vector<std::string>&, const std::string&) const;
template Flag Command::Add(const std::string&, std::vector<int>&, const std::string&) const;

Flag Command::AddSwitch(const std::string& name, bool& value, const std::string& help) const {
  return Flag(app_->add_flag(name, value, help));
}

Flag Command::AddSwitch(const std::string& name, std::function<void()> found,
                        const std::string& help) const {
  return Flag(app_->add_flag_callback(name, std::move(found), help));
}

Flag Command::AddText(const std::string& name, std::function<void(const std::string&)> found,
                      const std::string& help) const {
  return Flag(app_->add_option_function<std::string>(name, found, help));
}

Flag Command::AddTexts(const std::string& name, std::function<void(const std::string&)> found,
                       const std::string& help) const {
  return Flag(app_->add_option_function<std::vector<std::string>>(
      name,
      [found = std::move(found)](const std::vector<std::string>& texts) {
        for (const std::string& text : texts) found(text);
      },
      help));
}

void Command::OnRun(std::function<int()> run, std::function<std::string()> missing) const {
  app_->callback([chosen = chosen_, run = std::move(run), missing = std::move(missing)] {
    const std::string names = missing ? missing() : "";
    if (!names.empty()) throw CLI::RequiredError(names);  // caught by Parse
    *chosen = run;
  });
}

CommandTree::CommandTree(const std::string& name, const std::string& help,
                         const std::string& version)
    : app_(std::make_unique<CLI::App>(help, name)) {
  app_->formatter(std::make_shared<HelpFormatter>());
  app_->set_version_flag("--version", version);
  app_->require_subcommand(1);
}

CommandTree::~CommandTree() = default;

Command CommandTree::root() { return {app_.get(), &chosen_}; }

std::optional<int> CommandTree::Parse(int argc, char** argv) {
  try {
    app_->parse(argc, argv);
  } catch (const CLI::RequiredError& error) {
    const std::string unknown = UnknownCommand(*app_);
    return app_->exit(unknown.empty() ? error
                                      : CLI::RequiredError("There is no command '" + unknown +
                                                               "'; --help lists the commands",
                                                           CLI::ExitCodes::RequiredError));
  } catch (const CLI::ParseError& error) {
    return app_->exit(error);
  }
  return std::nullopt;
}

}  // namespace emptor::services
