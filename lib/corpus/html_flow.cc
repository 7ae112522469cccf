#include "corpus/html_flow.h"

#include <algorithm>

#include "core/text.h"

namespace ragline {

namespace {

constexpr std::string_view kNoBreakSpace = "\xC2\xA0", kSoftHyphen = "\xC2\xAD";

bool is_space(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f'; }

}  // namespace

void HtmlFlow::text(std::string_view text) {
  if (pres_ > 0 && !in_row_) {
    out_ += text;
    return;
  }
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (is_space(text[i])) {
      space_ = true;
    } else if (text.substr(i).starts_with(kNoBreakSpace)) {
      space_ = true;
      ++i;
    } else if (text.substr(i).starts_with(kSoftHyphen)) {
      ++i;
    } else {
      if (space_ && !line_.empty()) line_ += ' ';
      space_ = false;
      line_ += text[i];
    }
  }
}

void HtmlFlow::line_break() {
  if (in_row_)
    space_ = true;
  else if (pres_ > 0)
    out_ += '\n';
  else
    end_line();
}

void HtmlFlow::end_line() {
  space_ = false;
  if (line_.empty()) return;
  const std::size_t depth = lists_.size();
  if (depth > 0) {
    out_.append(2 * std::min<std::size_t>(depth - 1, 20), ' ');
    out_ += marker_.empty() ? "  " : marker_;
    marker_.clear();
  }
  append(out_, line_, '\n');
  line_.clear();
}

void HtmlFlow::end_block(std::string_view type, ByteSpan header) {
  end_line();
  if (out_.size() == outline_.position()) return;
  out_ += '\n';
  outline_.block(type, out_.size(), header);
}

void HtmlFlow::boundary() {
  if (in_row_)
    space_ = true;
  else if (!on_own())
    end_line();
  else if (pres_ == 0)
    end_block(flow_type());
}

void HtmlFlow::end_heading(int level) {
  if (!on_own() || pres_ > 0) return boundary();
  // The permanent links that documentation tools put behind headings.
  for (std::string_view link : {"\u00B6", " #"})
    if (line_.ends_with(link)) line_.resize(line_.size() - link.size());
  while (line_.ends_with(' ')) line_.pop_back();
  if (line_.empty()) return;
  const std::string title = line_;
  append(out_, line_, "\n\n");
  line_.clear();
  space_ = false;
  outline_.heading(level, title, out_.size());
  if (parsed_.document.title.empty()) parsed_.document.title = parsed_.sections.back().title;
}

void HtmlFlow::begin_list(bool ordered, std::uint64_t first) {
  boundary();
  lists_.push_back({ordered, first});
}

void HtmlFlow::end_list() {
  if (!in_row_) end_line();
  if (!lists_.empty()) lists_.pop_back();
  marker_.clear();
  if (on_own() && pres_ == 0) end_block("list");
}

void HtmlFlow::begin_item(bool marker) {
  boundary();
  if (in_row_ || lists_.empty()) return;
  marker_.clear();
  if (!marker) return;
  List& list = lists_.back();
  marker_ = list.ordered ? cat(list.next++, ". ") : "- ";
}

void HtmlFlow::begin_table() {
  boundary();
  if (tables_++ > 0) return;
  header_ = {};
  table_begin_ = out_.size();
}

void HtmlFlow::end_table() {
  if (!in_row_) end_line();
  if (tables_ > 0) --tables_;
  if (tables_ == 0 && on_own() && pres_ == 0) end_block("table", header_);
}

void HtmlFlow::begin_row() {
  if (in_row_) return boundary();
  end_line();
  in_row_ = true;
  all_header_ = true;
  cells_ = 0;
}

void HtmlFlow::end_row() {
  if (!in_row_) return;
  in_row_ = false;
  const bool header =
      all_header_ && cells_ > 1 && out_.size() == table_begin_ && tables_ == 1 && lists_.empty();
  end_line();
  if (header && out_.size() > table_begin_) header_ = {table_begin_, out_.size()};
}

void HtmlFlow::begin_cell(bool header) {
  all_header_ = all_header_ && header;
  if (cells_++ == 0) return;
  line_ += line_.empty() ? "|" : " |";
  space_ = true;
}

void HtmlFlow::begin_pre() {
  boundary();
  if (!in_row_) end_line();
  ++pres_;
}

void HtmlFlow::end_pre() {
  if (pres_ > 0) --pres_;
  if (pres_ > 0 || in_row_) return boundary();
  const std::size_t begin = outline_.position();
  while (out_.size() > begin && is_space(out_.back())) out_.pop_back();
  if (out_.size() > begin) out_ += '\n';
  if (on_own()) end_block("code");
}

void HtmlFlow::begin_quote() {
  boundary();
  ++quotes_;
}

void HtmlFlow::end_quote() {
  boundary();
  if (quotes_ > 0) --quotes_;
}

void HtmlFlow::finish() {
  in_row_ = false;
  lists_.clear();
  tables_ = 0;
  end_block(flow_type());
  parsed_.document.text = std::move(out_);
  outline_.finish(parsed_.document.text.size());
}

}  // namespace ragline
