// Events of md4c into blocks.
#include "catalog/documents/markdown_text.h"

#include <md4c.h>

#include <algorithm>

#include "catalog/documents/text_units.h"
#include "catalog/text_safety/plain_text.h"

namespace emptor::catalog {
namespace {

constexpr size_t kMaxFrontMatterBytes = 16384;

/// A line of code may look like a heading; a blank in front prevents that.
std::string WithoutHeadings(std::string_view block) {
  std::string text;
  while (!block.empty()) {
    const std::string_view line = block.substr(0, block.find('\n'));
    if (HeadingLevel(line) > 0) text += ' ';
    text += line;
    if (line.size() < block.size()) text += '\n';
    block.remove_prefix(std::min(line.size() + 1, block.size()));
  }
  return text;
}

/// Gathers one block after the other.
class BlockWriter {
 public:
  void Enter(MD_BLOCKTYPE type, void* detail) {
    if (type == MD_BLOCK_TH || type == MD_BLOCK_TD) {
      if (cells_++ > 0) block_ += " | ";
      return;
    }
    Close();
    if (type == MD_BLOCK_H) {
      prefix_ = std::string(static_cast<MD_BLOCK_H_DETAIL*>(detail)->level, '#') + " ";
    } else if (type == MD_BLOCK_LI) {
      prefix_ = "- ";
      ++items_;
    } else if (type == MD_BLOCK_TR) {
      cells_ = 0;
    }
    is_heading_ = type == MD_BLOCK_H;
    is_row_ = type == MD_BLOCK_TR;
  }

  void Leave(MD_BLOCKTYPE type) {
    if (type == MD_BLOCK_TH || type == MD_BLOCK_TD) return;
    Close();
    if (type == MD_BLOCK_LI || type == MD_BLOCK_H) prefix_.clear();
    if (type == MD_BLOCK_LI) --items_;
    const bool ends_list = (type == MD_BLOCK_UL || type == MD_BLOCK_OL) && items_ == 0;
    if (ends_list || type == MD_BLOCK_TABLE) follows_line_ = false;
  }

  void Text(MD_TEXTTYPE type, std::string_view text) {
    if (type == MD_TEXT_NULLCHAR) return;
    if (type == MD_TEXT_SOFTBR || (type == MD_TEXT_BR && (is_heading_ || is_row_))) {
      block_ += ' ';
    } else if (type == MD_TEXT_BR) {
      block_ += '\n';
    } else {
      block_ += text;
    }
  }

  std::string Take() {
    Close();
    return std::move(text_);
  }

 private:
  /// Lines of one list or table form one block.
  void Close() {
    const TextForm form = is_heading_ ? TextForm::kLine : TextForm::kParagraphs;
    std::string plain = MakePlainText(block_, form).text;
    block_.clear();
    const size_t first = plain.find_first_not_of(" \t\r\n");
    if (first == std::string::npos) return;
    plain = plain.substr(first, plain.find_last_not_of(" \t\r\n") + 1 - first);
    const bool is_line = is_row_ || (items_ > 0 && !prefix_.empty() && !is_heading_);
    if (!is_heading_) plain = WithoutHeadings(plain);
    if (!text_.empty()) text_ += is_line && follows_line_ ? "\n" : "\n\n";
    text_ += prefix_ + plain;
    prefix_.clear();
    follows_line_ = is_line;
  }

  std::string text_, block_, prefix_;
  int items_ = 0, cells_ = 0;
  bool is_heading_ = false, is_row_ = false, follows_line_ = false;
};

BlockWriter& Writer(void* context) { return *static_cast<BlockWriter*>(context); }

int OnEnterBlock(MD_BLOCKTYPE type, void* detail, void* context) {
  Writer(context).Enter(type, detail);
  return 0;
}

int OnLeaveBlock(MD_BLOCKTYPE type, void* /*detail*/, void* context) {
  Writer(context).Leave(type);
  return 0;
}

int OnSpan(MD_SPANTYPE /*type*/, void* /*detail*/, void* /*context*/) { return 0; }

int OnText(MD_TEXTTYPE type, const MD_CHAR* text, MD_SIZE size, void* context) {
  Writer(context).Text(type, std::string_view(text, size));
  return 0;
}

std::string_view TakeLine(std::string_view& rest) {
  const size_t end = std::min(rest.find('\n'), rest.size());
  std::string_view line = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.remove_suffix(1);
  return line;
}

std::string Unquoted(std::string_view value) {
  value.remove_prefix(std::min(value.find_first_not_of(' '), value.size()));
  const bool is_quoted = value.size() >= 2 && value.front() == value.back() &&
                         (value.front() == '"' || value.front() == '\'');
  return std::string(is_quoted ? value.substr(1, value.size() - 2) : value);
}

/// Removes the lines between "---" at the beginning of the text; returns their title.
std::string TakeFrontMatter(std::string_view& markdown) {
  std::string_view rest = markdown;
  if (TakeLine(rest) != "---") return {};
  std::string title;
  while (!rest.empty() && markdown.size() - rest.size() < kMaxFrontMatterBytes) {
    const std::string_view line = TakeLine(rest);
    if (line == "---" || line == "...") {
      markdown = rest;
      return title;
    }
    if (line.starts_with("title:")) title = Unquoted(line.substr(6));
  }
  return {};
}

}  // namespace

MarkdownText MarkdownToText(std::string_view markdown) {
  MarkdownText result;
  result.title = TakeFrontMatter(markdown);
  MD_PARSER parser{};
  parser.flags = MD_FLAG_TABLES | MD_FLAG_STRIKETHROUGH | MD_FLAG_TASKLISTS;
  parser.enter_block = OnEnterBlock;
  parser.leave_block = OnLeaveBlock;
  parser.enter_span = OnSpan;
  parser.leave_span = OnSpan;
  parser.text = OnText;
  BlockWriter writer;
  md_parse(markdown.data(), static_cast<MD_SIZE>(markdown.size()), &parser, &writer);
  result.text = writer.Take();
  return result;
}

}  // namespace emptor::catalog
