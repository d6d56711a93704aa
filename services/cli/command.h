// Subcommands, their flags and arguments. Hides CLI11, which command.cc alone compiles.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace emptor::services {

/// A flag ("--limit") or an argument ("FILE") that was added to a command. A handle: copies are the
/// same flag. Each function returns the handle.
class Flag {
 public:
  explicit Flag(CLI::Option* option) : option_(option) {}
  Flag Required();
  Flag Range(int low, int high);
  Flag Range(double low, double high);
  Flag OneOf(const std::vector<std::string>& values);
  Flag OneOfNumbers(const std::vector<int>& values);
  /// The value is a list whose elements the character separates.
  Flag Delimiter(char delimiter);
  /// The list has exactly so many elements.
  Flag Count(int elements);
  /// The environment variable that gives the value where the flag is not there.
  Flag Environment(const std::string& variable);
  /// Sets the value, and shows it in the help.
  Flag Default(const std::string& value);
  /// At most one of the two may be given.
  Flag Excludes(Flag other);

 private:
  CLI::Option* option_;
};

/// A command. A handle: copies are the same command. Lives as long as its CommandTree. The values
/// that flags write to outlive the parse.
class Command {
 public:
  Command(CLI::App* app, std::function<int()>* chosen) : app_(app), chosen_(chosen) {}

  Command AddCommand(const std::string& name, const std::string& help) const;
  /// One of its subcommands must follow.
  void RequireCommand() const;

  /// Value: std::string, int, uint64_t, double, std::vector<std::string>, std::vector<int>.
  template <typename Value>
  Flag Add(const std::string& name, Value& value, const std::string& help = "") const;
  Flag AddSwitch(const std::string& name, bool& value, const std::string& help) const;
  Flag AddSwitch(const std::string& name, std::function<void()> found,
                 const std::string& help) const;
  /// Calls `found` with the text of the flag.
  Flag AddText(const std::string& name, std::function<void(const std::string&)> found,
               const std::string& help = "") const;
  /// The same for a flag that may be repeated: once for each text.
  Flag AddTexts(const std::string& name, std::function<void(const std::string&)> found,
                const std::string& help) const;

  /// What runs when this command is typed; returns the exit code. `missing` returns the names of
  /// flags that are required and absent, or nothing.
  void OnRun(std::function<int()> run, std::function<std::string()> missing = nullptr) const;

 private:
  CLI::App* app_;
  std::function<int()>* chosen_;
};

/// All commands of a program.
class CommandTree {
 public:
  CommandTree(const std::string& name, const std::string& help, const std::string& version);
  ~CommandTree();
  Command root();

  /// Reads the arguments. The exit code when there is nothing to run: --help, --version, a mistake;
  /// the text is printed then.
  std::optional<int> Parse(int argc, char** argv);
  /// What OnRun of the command was given. REQUIRES: Parse returned nothing.
  const std::function<int()>& chosen() const { return chosen_; }

 private:
  std::unique_ptr<CLI::App> app_;
  std::function<int()> chosen_;
};

}  // namespace emptor::services
