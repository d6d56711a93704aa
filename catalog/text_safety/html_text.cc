// Events of libxml2's HTML parser into paragraphs.
#include "catalog/text_safety/html_text.h"

#include <libxml/HTMLparser.h>
#include <libxml/parserInternals.h>

#include <algorithm>
#include <array>
#include <climits>
#include <memory>
#include <vector>

#include "catalog/encoding/utf8.h"

namespace emptor::catalog {
namespace {

using View = std::string_view;

// Elements whose content is not text of the page.
constexpr std::array<View, 19> kDropped = {"applet", "audio",  "canvas",   "embed",    "form",
                                           "frame",  "iframe", "math",     "nav",      "noembed",
                                           "object", "script", "noframes", "noscript", "select",
                                           "style",  "svg",    "template", "textarea"};
constexpr std::array<View, 24> kParagraphs = {
    "address", "article", "aside", "blockquote", "body", "div", "dl",      "fieldset",
    "figure",  "footer",  "h1",    "h2",         "h3",   "h4",  "h5",      "h6",
    "header",  "hr",      "main",  "ol",         "p",    "pre", "section", "ul"};
constexpr std::array<View, 8> kLines = {"br", "caption", "dd", "dt", "li", "option", "table", "tr"};

template <size_t n>
bool IsOneOf(View name, const std::array<View, n>& names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool IsBlank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f'; }

char Lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; }

// A style sheet's text without blanks, in small letters.
std::string Compact(View style) {
  std::string compact;
  for (const char c : style) {
    if (!IsBlank(c)) compact += Lower(c);
  }
  return compact;
}

bool HidesByStyle(View style) {
  const std::string compact = Compact(style) + ";";
  constexpr std::array<View, 9> kHiding = {
      "display:none",   "visibility:hidden", "font-size:0;",   "font-size:0p",     "font-size:0e",
      "font-size:1px;", "opacity:0;",        "text-indent:-9", "color:transparent"};
  return std::any_of(kHiding.begin(), kHiding.end(),
                     [&](View sign) { return compact.find(sign) != std::string::npos; });
}

class TextBuilder {
 public:
  explicit TextBuilder(const HtmlTextOptions& options) : options_(options) {}

  void Start(View name, const xmlChar** attributes) {
    Element element = open_.empty() ? Element() : open_.back();
    element.dropped = element.dropped || IsOneOf(name, kDropped);
    element.hidden = element.hidden || Hides(attributes);
    if (name == "title") element.in_title = true;
    if (name == "pre") element.in_pre = true;
    open_.push_back(element);
    Break(name);
    if (name == "li") prefix_ = "- ";
    const bool heading = name.size() == 2 && name[0] == 'h' && name[1] >= '1' && name[1] <= '6';
    if (heading && options_.mark_headings) {
      prefix_ = std::string(static_cast<size_t>(name[1] - '0'), '#') + " ";
    }
  }

  void End(View name) {
    if (!open_.empty()) open_.pop_back();
    Break(name);
    if (name == "td" || name == "th") cell_ended_ = true;
  }

  void Text(View text) {
    const Element element = open_.empty() ? Element() : open_.back();
    if (element.in_title) {
      Append(text, false, result_.title);
    } else if (element.hidden) {
      const bool any = !std::all_of(text.begin(), text.end(), IsBlank);
      result_.hid_text = result_.hid_text || (any && !element.dropped);
    } else if (!element.dropped) {
      Append(text, element.in_pre, result_.text);
    }
  }

  HtmlText Take() {
    for (std::string* text : {&result_.title, &result_.text}) {
      while (!text->empty() && IsBlank(text->back())) text->pop_back();
    }
    return std::move(result_);
  }

 private:
  struct Element {
    bool dropped = false, hidden = false, in_title = false, in_pre = false;
  };

  static bool Hides(const xmlChar** attributes) {
    for (; attributes != nullptr && attributes[0] != nullptr; attributes += 2) {
      const View name(reinterpret_cast<const char*>(attributes[0]));
      if (name == "hidden") return true;
      if (name == "style" && attributes[1] != nullptr &&
          HidesByStyle(reinterpret_cast<const char*>(attributes[1]))) {
        return true;
      }
    }
    return false;
  }

  void Break(View name) {
    if (IsOneOf(name, kParagraphs)) {
      breaks_ = 2;
    } else if (IsOneOf(name, kLines)) {
      breaks_ = std::max(breaks_, 1);
    }
  }

  // Blanks collapse; breaks and the prefix of a line are written before its first character.
  void Append(View text, bool is_pre, std::string& out) {
    for (const char c : text) {
      const bool is_control = static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
      if (IsBlank(c)) {
        if (is_pre && c == '\n') {
          breaks_ = std::max(breaks_, 1);
        } else {
          blank_ = true;
        }
        continue;
      }
      if (is_control) continue;
      if (&out == &result_.text) Lead(out);
      if (blank_ && !out.empty() && !IsBlank(out.back())) out += ' ';
      blank_ = false;
      out += c;
    }
  }

  void Lead(std::string& out) {
    if (breaks_ > 0 && !out.empty()) {
      out.append(static_cast<size_t>(breaks_), '\n');
      blank_ = false;
    } else if (cell_ended_ && !out.empty()) {
      out += " | ";
      blank_ = false;
    }
    if (breaks_ > 0 || out.empty()) out += prefix_;
    prefix_.clear();
    breaks_ = 0;
    cell_ended_ = false;
  }

  const HtmlTextOptions options_;
  HtmlText result_;
  std::vector<Element> open_;
  std::string prefix_;  // of the next line
  int breaks_ = 0;      // line feeds before the next character
  bool blank_ = false;
  bool cell_ended_ = false;
};

TextBuilder& Builder(void* context) { return *static_cast<TextBuilder*>(context); }

View AsView(const xmlChar* text) { return View(reinterpret_cast<const char*>(text)); }

void OnStart(void* context, const xmlChar* name, const xmlChar** attributes) {
  Builder(context).Start(AsView(name), attributes);
}

void OnEnd(void* context, const xmlChar* name) { Builder(context).End(AsView(name)); }

void OnText(void* context, const xmlChar* text, int size) {
  Builder(context).Text(View(reinterpret_cast<const char*>(text), static_cast<size_t>(size)));
}

// The name of the tag after "<", or nothing.
View TagName(View text) {
  if (text.starts_with('/')) text.remove_prefix(1);
  size_t size = 0;
  while (size < text.size() && size < 16 &&
         ((Lower(text[size]) >= 'a' && Lower(text[size]) <= 'z') ||
          (size > 0 && text[size] >= '0' && text[size] <= '9'))) {
    ++size;
  }
  const bool ends =
      size < text.size() && (IsBlank(text[size]) || View("/>").find(text[size]) != View::npos);
  return ends ? text.substr(0, size) : View();
}

bool IsTag(View text) {
  if (text.starts_with("!--") || text.starts_with("!D") || text.starts_with("!d")) return true;
  std::string name(TagName(text));
  if (name.empty()) return false;
  std::transform(name.begin(), name.end(), name.begin(), Lower);
  constexpr std::array<View, 12> kNewer = {"article", "aside",   "audio",  "canvas",
                                           "figure",  "footer",  "header", "main",
                                           "nav",     "section", "svg",    "template"};
  return htmlTagLookup(reinterpret_cast<const xmlChar*>(name.c_str())) != nullptr ||
         IsOneOf(name, kNewer);
}

bool IsEntity(View text) {
  const size_t end = text.substr(0, 12).find(';');
  if (end == View::npos || end < 2) return false;
  if (text[0] == '#') return text.find_first_not_of("#xX0123456789abcdefABCDEF") == end;
  const std::string name(text.substr(0, end));
  return htmlEntityLookup(reinterpret_cast<const xmlChar*>(name.c_str())) != nullptr;
}

}  // namespace

HtmlText HtmlToText(std::string_view html, const HtmlTextOptions& options) {
  if (!IsValidUtf8(html) || html.size() > INT_MAX) return {.text = std::string(html)};
  std::string source(html);
  std::replace(source.begin(), source.end(), '\0', ' ');
  // An empty buffer has no context.
  if (source.empty()) return {};
  const std::unique_ptr<htmlParserCtxt, decltype(&htmlFreeParserCtxt)> context(
      htmlCreateMemoryParserCtxt(source.data(), static_cast<int>(source.size())),
      htmlFreeParserCtxt);
  if (context == nullptr) return {.text = std::string(html)};
  htmlSAXHandler handler{};
  handler.startElement = OnStart;
  handler.endElement = OnEnd;
  handler.characters = OnText;
  handler.ignorableWhitespace = OnText;
  *context->sax = handler;
  TextBuilder builder(options);
  context->userData = &builder;
  htmlCtxtUseOptions(context.get(), HTML_PARSE_RECOVER | HTML_PARSE_NOERROR | HTML_PARSE_NOWARNING |
                                        HTML_PARSE_NONET | HTML_PARSE_IGNORE_ENC |
                                        HTML_PARSE_NOIMPLIED);
  xmlSwitchEncoding(context.get(), XML_CHAR_ENCODING_UTF8);
  htmlParseDocument(context.get());
  return builder.Take();
}

bool LooksLikeHtml(std::string_view text) {
  for (size_t at = text.find_first_of("<&"); at != View::npos;
       at = text.find_first_of("<&", at + 1)) {
    const View rest = text.substr(at + 1);
    if (text[at] == '<' ? IsTag(rest) : IsEntity(rest)) return true;
  }
  return false;
}

bool HasHtmlBlocks(std::string_view text) {
  for (size_t at = text.find('<'); at != View::npos; at = text.find('<', at + 1)) {
    std::string name(TagName(text.substr(at + 1)));
    std::transform(name.begin(), name.end(), name.begin(), Lower);
    if (IsOneOf(name, kParagraphs) || IsOneOf(name, kLines)) return true;
  }
  return false;
}

std::string HtmlEntity(std::string_view name) {
  const std::string terminated(name);
  const htmlEntityDesc* entity =
      htmlEntityLookup(reinterpret_cast<const xmlChar*>(terminated.c_str()));
  if (entity == nullptr) return {};
  std::array<xmlChar, 8> bytes = {};
  const int count = xmlCopyCharMultiByte(bytes.data(), static_cast<int>(entity->value));
  return {reinterpret_cast<const char*>(bytes.data()), static_cast<size_t>(count)};
}

}  // namespace emptor::catalog
