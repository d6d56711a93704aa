// Values as text: str, repr and JSON.
#include <algorithm>
#include <cmath>

#include "engine/jinja/operations.h"
#include "fmt/format.h"
#include "unicode/uchar.h"

namespace emptor::engine::jinja {
namespace {

/// Writes values into a text and charges the budget for them.
class Writer {
 public:
  explicit Writer(Runtime& run) : run_(run) {}

  void Mark(std::string_view text) {
    if (run_.SpendBytes(text.size())) out_.Append(text, Origin::kMarkup);
  }
  void Put(std::string_view text, Origin origin) {
    if (run_.SpendBytes(text.size())) out_.Append(text, origin);
  }
  void Put(const Text& text) {
    if (run_.SpendBytes(text.size())) out_.Append(text);
  }
  Runtime& run() { return run_; }
  Text Take() { return std::move(out_); }

 private:
  Runtime& run_;
  Text out_;
};

bool IsPrintable(char32_t code) {
  switch (u_charType(static_cast<UChar32>(code))) {
    case U_CONTROL_CHAR:
    case U_FORMAT_CHAR:
    case U_SURROGATE:
    case U_PRIVATE_USE_CHAR:
    case U_UNASSIGNED:
    case U_LINE_SEPARATOR:
    case U_PARAGRAPH_SEPARATOR:
      return false;
    case U_SPACE_SEPARATOR:
      return code == ' ';
    default:
      return true;
  }
}

std::string ReprCharacter(std::string_view character, char quote) {
  const char32_t code = CodePoint(character);
  if (code == '\n') return "\\n";
  if (code == '\r') return "\\r";
  if (code == '\t') return "\\t";
  if (code == '\\' || code == static_cast<char32_t>(quote)) return fmt::format("\\{}", character);
  if (code == 0xfffd || IsPrintable(code)) return std::string(character);
  const auto number = static_cast<uint32_t>(code);
  if (number < 0x100) return fmt::format("\\x{:02x}", number);
  return number < 0x10000 ? fmt::format("\\u{:04x}", number) : fmt::format("\\U{:08x}", number);
}

/// Calls fn(character) for each character of the piece.
template <typename Fn>
void ForEachCharacter(std::string_view piece, Fn fn) {
  while (!piece.empty()) {
    const size_t bytes = CharacterBytes(piece);
    fn(piece.substr(0, bytes));
    piece.remove_prefix(bytes);
  }
}

void ReprText(Writer& out, const Text& text) {
  const bool doubled =
      text.bytes().find('\'') != std::string::npos && text.bytes().find('"') == std::string::npos;
  const char quote = doubled ? '"' : '\'';
  out.Mark(std::string(1, quote));
  text.ForEachRun([&](std::string_view piece, Origin origin) {
    std::string escaped;
    ForEachCharacter(piece, [&](std::string_view c) { escaped += ReprCharacter(c, quote); });
    out.Put(escaped, origin);
  });
  out.Mark(std::string(1, quote));
}

/// Numbers, booleans and none; empty for every other kind.
std::string PlainText(const Value& value) {
  if (value.Is<None>()) return "None";
  if (const auto* boolean = value.Get<bool>()) return *boolean ? "True" : "False";
  if (const auto* integer = value.Get<int64_t>()) return fmt::format("{}", *integer);
  if (const auto* real = value.Get<double>()) return FormatDouble(*real);
  return "";
}

void Repr(Writer& out, const Value& value);

void ReprList(Writer& out, const List& list) {
  out.Mark(list.tuple ? "(" : "[");
  for (size_t i = 0; i < list.items.size() && !out.run().failed(); ++i) {
    if (i > 0) out.Mark(", ");
    Repr(out, list.items[i]);
  }
  out.Mark(list.tuple ? (list.items.size() == 1 ? ",)" : ")") : "]");
}

void ReprDict(Writer& out, const Dict& dict) {
  out.Mark("{");
  bool first = true;
  for (const auto& [key, value] : dict.entries) {
    if (out.run().failed()) return;
    if (!std::exchange(first, false)) out.Mark(", ");
    Repr(out, key);
    out.Mark(": ");
    Repr(out, value);
  }
  out.Mark("}");
}

void Repr(Writer& out, const Value& value) {
  if (!out.run().Spend()) return;
  if (const Text* text = value.text()) return ReprText(out, *text);
  if (const List* list = value.list()) return ReprList(out, *list);
  if (const Dict* dict = value.dict()) return ReprDict(out, *dict);
  const std::string plain = PlainText(value);
  if (plain.empty()) out.run().Fail(fmt::format("{} cannot be written", value.KindName()));
  out.Mark(plain);
}

std::string JsonCharacter(std::string_view character, bool ascii) {
  const char32_t code = CodePoint(character);
  constexpr std::string_view kShort = "\"\\\b\f\n\r\t";
  constexpr std::string_view kNames = "\"\\bfnrt";
  if (code < 0x80) {
    const size_t place = kShort.find(static_cast<char>(code));
    if (place != std::string_view::npos) return {'\\', kNames[place]};
  }
  const auto number = static_cast<uint32_t>(code);
  if (number < 0x20) return fmt::format("\\u{:04x}", number);
  if (number < 0x80 || !ascii) return std::string(character);
  if (number < 0x10000) return fmt::format("\\u{:04x}", number);
  return fmt::format("\\u{:04x}\\u{:04x}", 0xd800 + ((number - 0x10000) >> 10),
                     0xdc00 + ((number - 0x10000) & 0x3ff));
}

/// json.dumps with its options.
class JsonWriter {
 public:
  JsonWriter(Runtime& run, const JsonStyle& style) : out_(run), style_(style) {}

  void Write(const Value& value, int level) {
    if (!out_.run().Spend()) return;
    if (const Text* text = value.text()) return WriteText(*text);
    if (const List* list = value.list()) return WriteList(*list, level);
    if (const Dict* dict = value.dict()) return WriteDict(*dict, level);
    out_.Mark(Plain(value));
  }
  Text Take() { return out_.Take(); }

 private:
  /// What json.dumps writes for numbers, booleans and null; fails for anything else.
  std::string Plain(const Value& value) {
    if (value.Is<None>()) return "null";
    if (const auto* boolean = value.Get<bool>()) return *boolean ? "true" : "false";
    if (const auto* real = value.Get<double>(); real != nullptr && !std::isfinite(*real)) {
      return std::isnan(*real) ? "NaN" : *real > 0 ? "Infinity" : "-Infinity";
    }
    std::string plain = PlainText(value);
    if (plain.empty()) {
      out_.run().Fail(fmt::format("tojson: {} has no JSON form", value.KindName()));
    }
    return plain;
  }
  void WriteText(const Text& text) {
    out_.Mark("\"");
    text.ForEachRun([&](std::string_view piece, Origin origin) {
      std::string escaped;
      ForEachCharacter(piece,
                       [&](std::string_view c) { escaped += JsonCharacter(c, style_.ascii); });
      out_.Put(escaped, origin);
    });
    out_.Mark("\"");
  }
  void Break(int level) {
    if (!style_.indent) return;
    out_.Mark("\n");
    out_.Mark(std::string(static_cast<size_t>(*style_.indent) * static_cast<size_t>(level), ' '));
  }
  void WriteList(const List& list, int level) {
    out_.Mark("[");
    for (size_t i = 0; i < list.items.size() && !out_.run().failed(); ++i) {
      if (i > 0) out_.Put(style_.item_separator);
      Break(level + 1);
      Write(list.items[i], level + 1);
    }
    if (!list.items.empty()) Break(level);
    out_.Mark("]");
  }
  void WriteDict(const Dict& dict, int level) {
    std::vector<const std::pair<Value, Value>*> entries;
    for (const auto& entry : dict.entries) entries.push_back(&entry);
    if (style_.sort_keys) {
      std::stable_sort(entries.begin(), entries.end(), [this](const auto* a, const auto* b) {
        return Less(out_.run(), a->first, b->first);
      });
    }
    out_.Mark("{");
    bool first = true;
    for (const auto* entry : entries) {
      if (out_.run().failed()) return;
      if (!std::exchange(first, false)) out_.Put(style_.item_separator);
      Break(level + 1);
      WriteKey(entry->first);
      out_.Put(style_.key_separator);
      Write(entry->second, level + 1);
    }
    if (!entries.empty()) Break(level);
    out_.Mark("}");
  }
  void WriteKey(const Value& key) {
    if (key.text() != nullptr) return WriteText(*key.text());
    out_.Mark(fmt::format("\"{}\"", Plain(key)));
  }

  Writer out_;
  const JsonStyle& style_;
};

}  // namespace

std::string FormatDouble(double number) {
  std::string text = fmt::format("{}", number);
  const bool whole = text.find_first_not_of("-0123456789") == std::string::npos;
  return whole ? text + ".0" : text;
}

Text ToText(Runtime& run, const Value& value) {
  if (value.undefined()) return {};
  if (value.text() != nullptr) return *value.text();
  Writer out(run);
  Repr(out, value);
  return out.Take();
}

Text ToJson(Runtime& run, const Value& value, const JsonStyle& style) {
  JsonWriter writer(run, style);
  writer.Write(value, 0);
  return writer.Take();
}

}  // namespace emptor::engine::jinja
