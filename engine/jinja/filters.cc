// Filters of strings and numbers, and the table of all filters.
#include "engine/jinja/filters.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "engine/jinja/list_filters.h"
#include "engine/jinja/methods.h"
#include "engine/jinja/operations.h"
#include "fmt/format.h"

namespace emptor::engine::jinja {
namespace {

Value LengthFilter(Runtime& run, const Value& input, const Arguments&) {
  const std::optional<int64_t> length = Length(run, input);
  return length ? Value(*length) : Value();
}

Value DefaultFilter(Runtime&, const Value& input, const Arguments& arguments) {
  const Value* fallback = arguments.Find(0, "default_value");
  const Value* boolean = arguments.Find(1, "boolean");
  const bool absent = input.undefined() || (boolean != nullptr && Truth(*boolean) && !Truth(input));
  if (!absent) return input;
  return fallback == nullptr ? Value(Text()) : *fallback;
}

Value StringFilter(Runtime& run, const Value& input, const Arguments&) {
  return input.text() != nullptr ? input : run.NewText(ToText(run, input));
}

template <LetterCase letter_case>
Value CaseFilter(Runtime& run, const Value& input, const Arguments&) {
  const Text text = ToText(run, input);
  if (!run.Spend(1 + text.size() / 16)) return {};
  return run.NewText(ChangeCase(text, letter_case));
}

Value TrimFilter(Runtime& run, const Value& input, const Arguments& arguments) {
  return StripText(run, ToText(run, input), arguments.Find(0, "chars"), {});
}

Value ReplaceFilter(Runtime& run, const Value& input, const Arguments& arguments) {
  const Value* part = arguments.Find(0, "old");
  const Value* with = arguments.Find(1, "new");
  const Value* count = arguments.Find(2, "count");
  if (part == nullptr || with == nullptr) return run.Fail("replace: expected two strings");
  const int64_t limit = Absent(count) ? -1 : AsInteger(*count).value_or(-1);
  return ReplaceText(run, ToText(run, input), ToText(run, *part), ToText(run, *with), limit);
}

Value JoinFilter(Runtime& run, const Value& input, const Arguments& arguments) {
  auto items = Iterate(run, input);
  if (!items) return {};
  const Value* separator = arguments.Find(0, "d");
  const Value* attribute = arguments.Find(1, "attribute");
  if (!Absent(attribute)) {
    for (Value& item : *items) item = GetPath(run, item, *attribute);
  }
  return JoinTexts(run, separator == nullptr ? Text() : ToText(run, *separator), *items, true);
}

Value ItemsFilter(Runtime& run, const Value& input, const Arguments&) {
  if (input.undefined()) return run.NewList({});
  if (input.dict() == nullptr) {
    return run.Fail(fmt::format("items: expected a mapping, found {}", input.KindName()));
  }
  return DictItems(run, *input.dict());
}

Value ListFilter(Runtime& run, const Value& input, const Arguments&) {
  auto items = Iterate(run, input);
  return items ? run.NewList(std::move(*items)) : Value();
}

/// The number that the text writes, white space around it allowed, as Python's int() or float().
template <typename Number>
std::optional<Number> ParseNumber(const Text& text) {
  const auto [begin, end] = Strip(text.bytes(), nullptr, {});
  std::string_view digits = std::string_view(text.bytes()).substr(begin, end - begin);
  if (digits.starts_with('+') && digits.substr(1, 1) != "-") digits.remove_prefix(1);
  Number number = 0;
  const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  const bool whole = error == std::errc() && stop == digits.data() + digits.size();
  return whole ? std::optional(number) : std::nullopt;
}

std::optional<int64_t> Truncate(double number) {
  if (!(std::fabs(number) < 9.2e18)) return std::nullopt;
  return static_cast<int64_t>(number);
}

Value IntFilter(Runtime& run, const Value& input, const Arguments& arguments) {
  const Value* fallback = arguments.Find(0, "default");
  if (const auto* undefined = input.Get<Undefined>()) return run.Fail(undefined->what);
  std::optional<int64_t> number = AsInteger(input);
  if (const auto* real = input.Get<double>()) number = Truncate(*real);
  if (const Text* text = input.text()) {
    number = ParseNumber<int64_t>(*text);
    const std::optional<double> real = number ? std::nullopt : ParseNumber<double>(*text);
    if (real) number = Truncate(*real);
  }
  if (number) return Value(*number);
  return fallback == nullptr ? Value(int64_t{0}) : *fallback;
}

Value FloatFilter(Runtime& run, const Value& input, const Arguments& arguments) {
  const Value* fallback = arguments.Find(0, "default");
  if (const auto* undefined = input.Get<Undefined>()) return run.Fail(undefined->what);
  std::optional<double> number = AsNumber(input);
  if (input.text() != nullptr) number = ParseNumber<double>(*input.text());
  if (number) return Value(*number);
  return fallback == nullptr ? Value(0.0) : *fallback;
}

Value AbsFilter(Runtime& run, const Value& input, const Arguments&) {
  const std::optional<double> number = AsNumber(input);
  if (!number) return run.Fail(fmt::format("abs: expected a number, found {}", input.KindName()));
  return *number < 0 ? Negate(run, input) : input;
}

/// Blanks (or a text) before the lines: `indent(width=4, first=false, blank=false)`.
Value IndentFilter(Runtime& run, const Value& input, const Arguments& arguments) {
  const Value* width = arguments.Find(0, "width");
  const Value* first = arguments.Find(1, "first");
  const Value* blank = arguments.Find(2, "blank");
  const int64_t blanks = width == nullptr ? 4 : AsInteger(*width).value_or(0);
  if (blanks > 1000) return run.Fail("indent: expected at most 1000");
  const Text margin =
      width != nullptr && width->text() != nullptr
          ? *width->text()
          : Text(std::string(static_cast<size_t>(std::max<int64_t>(blanks, 0)), ' '),
                 Origin::kMarkup);
  const Text text = ToText(run, input);
  Text out;
  for (size_t begin = 0; begin <= text.size() && !run.failed();) {
    const size_t newline = text.bytes().find('\n', begin);
    const size_t end = newline == std::string::npos ? text.size() : newline;
    const bool all = blank != nullptr && Truth(*blank);
    const bool put = begin == 0 ? first != nullptr && Truth(*first) : all || end > begin;
    if (!run.SpendBytes(margin.weight() + (end - begin) + 17)) return {};
    if (put) out.Append(margin);
    out.Append(text, begin, end == text.size() ? end : end + 1);
    begin = end + 1;
  }
  return run.NewText(std::move(out));
}

Value JsonFilter(Runtime& run, const Value& input, const Arguments& arguments) {
  JsonStyle style;
  const Value* ascii = arguments.Find(0, "ensure_ascii");
  const Value* indent = arguments.Find(1, "indent");
  const Value* separators = arguments.Find(2, "separators");
  const Value* sort_keys = arguments.Find(3, "sort_keys");
  style.ascii = ascii != nullptr && Truth(*ascii);
  style.sort_keys = sort_keys != nullptr && Truth(*sort_keys);
  if (!Absent(indent)) {
    const int64_t width = AsInteger(*indent).value_or(-1);
    if (width < 0 || width > 16) return run.Fail("tojson: indent: expected 0 to 16");
    style.indent = static_cast<int>(width);
    style.item_separator = Text(",");
  }
  if (!Absent(separators)) {
    const List* pair = separators->list();
    if (pair == nullptr || pair->items.size() != 2) {
      return run.Fail("tojson: separators: expected two strings");
    }
    style.item_separator = ToText(run, pair->items[0]);
    style.key_separator = ToText(run, pair->items[1]);
    if (!run.SpendBytes(style.item_separator.weight() + style.key_separator.weight())) return {};
  }
  return run.NewText(ToJson(run, input, style));
}

const std::vector<Filter>& Filters() {
  static const std::vector<Filter> filters = {
      {"abs", AbsFilter, {}},
      {"capitalize", CaseFilter<LetterCase::kCapital>, {}},
      {"count", LengthFilter, {}},
      {"d", DefaultFilter, {"default_value", "boolean"}},
      {"default", DefaultFilter, {"default_value", "boolean"}},
      {"dictsort", DictSortFilter, {"case_sensitive", "by", "reverse"}},
      {"first", FirstFilter, {}},
      {"float", FloatFilter, {"default"}},
      {"indent", IndentFilter, {"width", "first", "blank"}},
      {"int", IntFilter, {"default"}},
      {"items", ItemsFilter, {}},
      {"join", JoinFilter, {"d", "attribute"}},
      {"last", LastFilter, {}},
      {"length", LengthFilter, {}},
      {"list", ListFilter, {}},
      {"lower", CaseFilter<LetterCase::kLower>, {}},
      {"map", MapFilter, {}, true},
      {"max", MaxFilter, {"case_sensitive", "attribute"}},
      {"min", MinFilter, {"case_sensitive", "attribute"}},
      {"reject", RejectFilter, {}, true},
      {"rejectattr", RejectAttributeFilter, {}, true},
      {"replace", ReplaceFilter, {"old", "new", "count"}},
      {"reverse", ReverseFilter, {}},
      {"safe", StringFilter, {}},
      {"select", SelectFilter, {}, true},
      {"selectattr", SelectAttributeFilter, {}, true},
      {"sort", SortFilter, {"reverse", "case_sensitive", "attribute"}},
      {"string", StringFilter, {}},
      {"sum", SumFilter, {"attribute", "start"}},
      {"title", CaseFilter<LetterCase::kTitle>, {}},
      {"tojson", JsonFilter, {"ensure_ascii", "indent", "separators", "sort_keys"}},
      {"trim", TrimFilter, {"chars"}},
      {"unique", UniqueFilter, {"case_sensitive", "attribute"}},
      {"upper", CaseFilter<LetterCase::kUpper>, {}}};
  return filters;
}

}  // namespace

Value Filter::Call(Runtime& run, const Value& input, const Arguments& arguments) const {
  if (!variadic && !arguments.Fit(run, name, parameters)) return {};
  const size_t letters = input.text() == nullptr ? 0 : input.text()->size();
  if (!run.Spend() || !run.SpendBytes(letters + arguments.text_bytes())) return {};
  return function(run, input, arguments);
}

const Filter* FindFilter(std::string_view name) {
  const std::vector<Filter>& filters = Filters();
  const auto found = std::find_if(filters.begin(), filters.end(),
                                  [&](const Filter& filter) { return filter.name == name; });
  return found == filters.end() ? nullptr : &*found;
}

}  // namespace emptor::engine::jinja
