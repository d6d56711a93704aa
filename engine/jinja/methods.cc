// One function per method; a table by kind.
#include "engine/jinja/methods.h"

#include <algorithm>
#include <limits>

#include "engine/jinja/operations.h"
#include "fmt/format.h"
#include "unicode/uchar.h"

namespace emptor::engine::jinja {
namespace {

constexpr size_t kNowhere = std::string_view::npos;

/// A call of a string method.
struct Call {
  Runtime& run;
  const Text& self;
  std::string_view name;
  const Arguments& arguments;

  const Value* At(size_t place) const {
    return place < arguments.positional.size() ? &arguments.positional[place] : nullptr;
  }
  /// A string argument; null, after failing, when it is absent or something else.
  const Text* TextAt(size_t place) const {
    const Value* value = At(place);
    const Text* text = value == nullptr ? nullptr : value->text();
    if (text == nullptr) {
      run.Fail(fmt::format("{}: expected a string, found {}", name,
                           value == nullptr ? "nothing" : value->KindName()));
    }
    return text;
  }
  int64_t IntegerAt(size_t place, int64_t fallback) const {
    const Value* value = At(place);
    if (value == nullptr) return fallback;
    const std::optional<int64_t> integer = AsInteger(*value);
    if (!integer) {
      run.Fail(fmt::format("{}: expected an integer, found {}", name, value->KindName()));
    }
    return integer.value_or(fallback);
  }
  Value Slice(size_t begin, size_t end) const { return run.NewText(self.Slice(begin, end)); }
};

Value SplitAtSpaces(const Call& call, int64_t limit) {
  const std::string_view text = call.self.bytes();
  std::vector<Value> parts;
  size_t at = Strip(text, nullptr, {.left = true, .right = false}).first;
  while (at < text.size()) {
    size_t end = at;
    if (limit >= 0 && static_cast<int64_t>(parts.size()) == limit) {
      parts.push_back(call.Slice(at, text.size()));
      break;
    }
    while (end < text.size() &&
           !IsSpace(CodePoint(text.substr(end, CharacterBytes(text.substr(end)))))) {
      end += CharacterBytes(text.substr(end));
    }
    parts.push_back(call.Slice(at, end));
    if (call.run.failed()) return {};
    at = end + Strip(text.substr(end), nullptr, {.left = true, .right = false}).first;
  }
  return call.run.NewList(std::move(parts));
}

/// Places of `part`, from the left or from the right, at most `limit`; in order of the text.
std::vector<size_t> FindAll(const Call& call, const Text& part, int64_t limit, bool from_right) {
  const std::string_view text = call.self.bytes();
  std::vector<size_t> places;
  if (from_right) {
    // As the text and the part reversed: leftmost there is rightmost here.
    const std::string reversed(text.rbegin(), text.rend());
    const std::string reversed_part(part.bytes().rbegin(), part.bytes().rend());
    for (size_t at = Find(reversed, reversed_part); at != kNowhere && limit != 0; --limit) {
      if (!call.run.SpendBytes(sizeof(at))) return {};
      places.push_back(text.size() - at - part.size());
      at = Find(reversed, reversed_part, at + part.size());
    }
    std::reverse(places.begin(), places.end());
    return places;
  }
  for (size_t at = Find(text, part.bytes()); at != kNowhere && limit != 0; --limit) {
    if (!call.run.SpendBytes(sizeof(at))) return {};
    places.push_back(at);
    at = Find(text, part.bytes(), at + part.size());
  }
  return places;
}

Value Split(const Call& call) {
  static const std::vector<std::string_view> names = {"sep", "maxsplit"};
  if (!call.arguments.Fit(call.run, call.name, names)) return {};
  const Value* separator = call.arguments.Find(0, "sep");
  const Value* maximum = call.arguments.Find(1, "maxsplit");
  const int64_t limit = maximum == nullptr ? -1 : AsInteger(*maximum).value_or(-1);
  const bool from_right = call.name == "rsplit";
  if (Absent(separator) && (!from_right || limit < 0)) return SplitAtSpaces(call, limit);
  const Text* part = separator == nullptr ? nullptr : separator->text();
  if (part == nullptr || part->empty()) {
    return call.run.Fail(fmt::format("{}: expected a separator that is not empty", call.name));
  }
  std::vector<Value> parts;
  size_t begin = 0;
  for (const size_t place : FindAll(call, *part, limit, from_right)) {
    parts.push_back(call.Slice(begin, place));
    if (call.run.failed()) return {};
    begin = place + part->size();
  }
  parts.push_back(call.Slice(begin, call.self.size()));
  return call.run.NewList(std::move(parts));
}

Value SplitLines(const Call& call) {
  const std::string_view text = call.self.bytes();
  const bool keep = call.At(0) != nullptr && Truth(*call.At(0));
  std::vector<Value> lines;
  size_t begin = 0;
  for (size_t at = 0; at < text.size() && !call.run.failed();) {
    const size_t bytes = CharacterBytes(text.substr(at));
    const char32_t code = CodePoint(text.substr(at, bytes));
    const bool ends = (code >= 0x0a && code <= 0x0d) || (code >= 0x1c && code <= 0x1e) ||
                      code == 0x85 || code == 0x2028 || code == 0x2029;
    size_t next = at + bytes;
    if (code == '\r' && next < text.size() && text[next] == '\n') ++next;
    if (ends) lines.push_back(call.Slice(begin, keep ? next : at));
    if (ends) begin = next;
    at = next;
  }
  if (begin < text.size()) lines.push_back(call.Slice(begin, text.size()));
  return call.run.NewList(std::move(lines));
}

Value BeginsOrEnds(const Call& call) {
  const Value* wanted = call.At(0);
  std::vector<Value> options;
  if (wanted != nullptr && wanted->list() != nullptr && wanted->list()->tuple) {
    options = wanted->list()->items;
  } else if (wanted != nullptr) {
    options = {*wanted};
  }
  if (wanted == nullptr) call.TextAt(0);
  for (const Value& option : options) {
    if (option.text() == nullptr) {
      return call.run.Fail(
          fmt::format("{}: expected a string, found {}", call.name, option.KindName()));
    }
    const std::string& bytes = option.text()->bytes();
    if (!call.run.Spend(1 + bytes.size() / 256)) return {};
    const bool holds = call.name == "startswith" ? call.self.bytes().starts_with(bytes)
                                                 : call.self.bytes().ends_with(bytes);
    if (holds) return Value(true);
  }
  return Value(false);
}

Value Replace(const Call& call) {
  const Text* part = call.TextAt(0);
  const Text* with = part == nullptr ? nullptr : call.TextAt(1);
  if (with == nullptr) return {};
  return ReplaceText(call.run, call.self, *part, *with, call.IntegerAt(2, -1));
}

Value FindPlace(const Call& call) {
  const Text* part = call.TextAt(0);
  if (part == nullptr || !call.run.Spend(1 + call.self.size() / 64)) return {};
  const std::string& text = call.self.bytes();
  size_t at = kNowhere;
  if (call.name.starts_with('r')) {
    const std::vector<size_t> last = FindAll(call, *part, 1, true);
    if (!last.empty()) at = last.front();
  } else {
    at = Find(text, part->bytes());
  }
  if (at == kNowhere && call.name.ends_with("index")) return call.run.Fail("index: not found");
  if (at == kNowhere) return Value(int64_t{-1});
  return Value(static_cast<int64_t>(CountCharacters(std::string_view(text).substr(0, at))));
}

Value CountPlaces(const Call& call) {
  const Text* part = call.TextAt(0);
  if (part == nullptr || !call.run.Spend(1 + call.self.size() / 64)) return {};
  if (part->empty()) return Value(int64_t(CountCharacters(call.self.bytes())) + 1);
  return Value(static_cast<int64_t>(FindAll(call, *part, -1, false).size()));
}

Value RemoveAffix(const Call& call) {
  const Text* affix = call.TextAt(0);
  if (affix == nullptr) return {};
  const bool front = call.name == "removeprefix";
  const std::string& text = call.self.bytes();
  const bool has = front ? text.starts_with(affix->bytes()) : text.ends_with(affix->bytes());
  if (!has) return call.Slice(0, text.size());
  return front ? call.Slice(affix->size(), text.size())
               : call.Slice(0, text.size() - affix->size());
}

/// Whether the text is not empty and each of its characters is of the kind.
Value AllAre(const Call& call) {
  if (!call.run.Spend(1 + call.self.size() / 64)) return {};
  std::string_view text = call.self.bytes();
  bool all = !text.empty();
  for (; all && !text.empty(); text.remove_prefix(CharacterBytes(text))) {
    const char32_t code = CodePoint(text.substr(0, CharacterBytes(text)));
    const auto character = static_cast<UChar32>(code);
    const bool letter = u_isalpha(character) != 0;
    const bool digit = u_isdigit(character) != 0;
    all = call.name == "isspace"   ? IsSpace(code)
          : call.name == "isdigit" ? digit
          : call.name == "isalpha" ? letter
                                   : letter || digit;
  }
  return Value(all);
}

Value Recase(const Call& call) {
  const LetterCase to = call.name == "upper"   ? LetterCase::kUpper
                        : call.name == "lower" ? LetterCase::kLower
                        : call.name == "title" ? LetterCase::kTitle
                                               : LetterCase::kCapital;
  if (!call.run.Spend(1 + call.self.size() / 16)) return {};
  return call.run.NewText(ChangeCase(call.self, to));
}

Value StripEnds(const Call& call) {
  return StripText(call.run, call.self, call.At(0),
                   {.left = call.name != "rstrip", .right = call.name != "lstrip"});
}

Value Join(const Call& call) {
  const Value* items = call.At(0);
  if (items == nullptr) return call.run.Fail("join: expected a list");
  const auto list = Iterate(call.run, *items);
  return list ? JoinTexts(call.run, call.self, *list, false) : Value();
}

struct StringMethod {
  std::string_view name;
  Value (*function)(const Call&);
};
constexpr StringMethod kStringMethods[] = {{"capitalize", Recase},
                                           {"count", CountPlaces},
                                           {"endswith", BeginsOrEnds},
                                           {"find", FindPlace},
                                           {"index", FindPlace},
                                           {"isalnum", AllAre},
                                           {"isalpha", AllAre},
                                           {"isdigit", AllAre},
                                           {"isspace", AllAre},
                                           {"join", Join},
                                           {"lower", Recase},
                                           {"lstrip", StripEnds},
                                           {"removeprefix", RemoveAffix},
                                           {"removesuffix", RemoveAffix},
                                           {"replace", Replace},
                                           {"rfind", FindPlace},
                                           {"rindex", FindPlace},
                                           {"rsplit", Split},
                                           {"rstrip", StripEnds},
                                           {"split", Split},
                                           {"splitlines", SplitLines},
                                           {"startswith", BeginsOrEnds},
                                           {"strip", StripEnds},
                                           {"title", Recase},
                                           {"upper", Recase}};

const StringMethod* FindStringMethod(std::string_view name) {
  const auto* found = std::find_if(std::begin(kStringMethods), std::end(kStringMethods),
                                   [&](const StringMethod& m) { return m.name == name; });
  return found == std::end(kStringMethods) ? nullptr : found;
}

constexpr std::string_view kDictMethods[] = {"copy",    "get",   "items",      "keys",   "pop",
                                             "popitem", "clear", "setdefault", "update", "values"};
constexpr std::string_view kListMethods[] = {"append", "clear",   "copy",   "count",
                                             "extend", "index",   "insert", "pop",
                                             "remove", "reverse", "sort"};
constexpr std::string_view kTupleMethods[] = {"count", "index"};

Value CallDictMethod(Runtime& run, const Value& self, std::string_view name,
                     const Arguments& arguments) {
  const Dict& dict = *self.dict();
  if (name == "items") return DictItems(run, dict);
  if (name == "copy") return self;
  if (name == "get") {
    if (!arguments.Fit(run, name, {"key", "default"})) return {};
    const Value* key = arguments.Find(0, "key");
    const Value* fallback = arguments.Find(1, "default");
    if (key == nullptr) return run.Fail("get: expected a key");
    if (const Value* value = FindEntry(run, dict, *key)) return *value;
    return fallback == nullptr ? Value(None{}) : *fallback;
  }
  if (name != "keys" && name != "values") {
    return run.Fail(fmt::format("{}: a template may not change a mapping", name));
  }
  std::vector<Value> items;
  for (const auto& [key, value] : dict.entries) items.push_back(name == "keys" ? key : value);
  return run.NewList(std::move(items));
}

Value CallListMethod(Runtime& run, const Value& self, std::string_view name,
                     const Arguments& arguments) {
  if (name == "copy") return self;
  if (name != "count" && name != "index") {
    return run.Fail(fmt::format("{}: a template may not change a list; use a namespace", name));
  }
  if (arguments.positional.size() != 1) return run.Fail(fmt::format("{}: expected an item", name));
  int64_t place = 0;
  int64_t count = 0;
  for (const Value& item : self.list()->items) {
    const bool equal = Equal(run, item, arguments.positional.front());
    if (equal && name == "index") return Value(place);
    count += equal ? 1 : 0;
    ++place;
  }
  return name == "index" ? run.Fail("index: no such item") : Value(count);
}

}  // namespace

bool Absent(const Value* value) { return value == nullptr || value->Is<None>(); }

bool HasMethod(const Value& self, std::string_view name) {
  const auto among = [&](const auto& names) {
    return std::find(std::begin(names), std::end(names), name) != std::end(names);
  };
  if (self.text() != nullptr) return FindStringMethod(name) != nullptr;
  if (self.dict() != nullptr) return among(kDictMethods);
  if (self.list() != nullptr)
    return self.list()->tuple ? among(kTupleMethods) : among(kListMethods);
  return false;
}

Value CallMethod(Runtime& run, const Method& method, const Arguments& arguments) {
  if (!run.Spend()) return {};
  const Value& self = method.self;
  if (self.dict() != nullptr) return CallDictMethod(run, self, method.name, arguments);
  if (self.list() != nullptr) return CallListMethod(run, self, method.name, arguments);
  const StringMethod* found = FindStringMethod(method.name);
  if (!arguments.named.empty() && found->function != Split) {
    return run.Fail(
        fmt::format("{}: unexpected argument {}", method.name, arguments.named.front().first));
  }
  if (!run.SpendBytes(self.text()->size() + arguments.text_bytes())) return {};
  return found->function(Call{run, *self.text(), method.name, arguments});
}

Value StripText(Runtime& run, const Text& text, const Value* characters, Ends ends) {
  const bool blank = Absent(characters);
  if (!blank && characters->text() == nullptr) {
    return run.Fail(fmt::format("strip: expected a string, found {}", characters->KindName()));
  }
  const auto [begin, end] =
      Strip(text.bytes(), blank ? nullptr : &characters->text()->bytes(), ends);
  return run.NewText(text.Slice(begin, end));
}

Value ReplaceText(Runtime& run, const Text& text, const Text& part, const Text& with,
                  int64_t limit) {
  if (limit < 0) limit = std::numeric_limits<int64_t>::max();
  if (!run.SpendBytes(text.weight())) return {};
  Text out;
  size_t begin = 0;
  const auto put = [&] {
    if (run.SpendBytes(with.weight())) out.Append(with);
    --limit;
    return !run.failed();
  };
  if (part.empty()) {
    // Before each character and at the end, as Python does.
    while (limit > 0 && put() && begin < text.size()) {
      const size_t end = begin + CharacterBytes(std::string_view(text.bytes()).substr(begin));
      out.Append(text, begin, end);
      begin = end;
    }
  } else {
    for (size_t at = Find(text.bytes(), part.bytes()); at != kNowhere && limit > 0;
         at = Find(text.bytes(), part.bytes(), begin)) {
      out.Append(text, begin, at);
      if (!put()) return {};
      begin = at + part.size();
    }
  }
  out.Append(text, begin, text.size());
  return run.NewText(std::move(out));
}

Value JoinTexts(Runtime& run, const Text& separator, const std::vector<Value>& items,
                bool convert) {
  Text out;
  for (size_t i = 0; i < items.size(); ++i) {
    if (!convert && items[i].text() == nullptr) {
      return run.Fail(fmt::format("join: expected strings, found {}", items[i].KindName()));
    }
    const Text piece = ToText(run, items[i]);
    if (!run.SpendBytes(piece.weight() + separator.weight())) return {};
    if (i > 0) out.Append(separator);
    out.Append(piece);
  }
  return run.NewText(std::move(out));
}

Value DictItems(Runtime& run, const Dict& dict) {
  std::vector<Value> items;
  for (const auto& [key, value] : dict.entries) {
    items.push_back(run.NewList({key, value}, true));
    if (run.failed()) return {};
  }
  return run.NewList(std::move(items));
}

}  // namespace emptor::engine::jinja
