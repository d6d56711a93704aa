// Commands on CLI11.
#include "services/cli/command.h"

#include <CLI/CLI.hpp>
#include <cstdint>
#include <utility>

namespace emptor::services {

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
  app_->set_version_flag("--version", version);
  app_->require_subcommand(1);
}

CommandTree::~CommandTree() = default;

Command CommandTree::root() { return {app_.get(), &chosen_}; }

std::optional<int> CommandTree::Parse(int argc, char** argv) {
  try {
    app_->parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app_->exit(error);
  }
  return std::nullopt;
}

}  // namespace emptor::services
