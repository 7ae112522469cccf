#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "corpus/document.h"
#include "corpus/outline.h"

namespace ragline {

// Turns a walk over an HTML tree into text and blocks. Calls follow the tree: begin and end of what
// has extent, text in between. Inside a table cell everything becomes one line; inside a list
// everything becomes lines of the list.
class HtmlFlow {
 public:
  explicit HtmlFlow(ParsedDocument& parsed) : parsed_(parsed), outline_(parsed) {}

  void text(std::string_view text);
  void line_break();
  // Begin or end of an element that stands on lines of its own.
  void boundary();
  void begin_heading() { boundary(); }
  void end_heading(int level);
  void begin_list(bool ordered, std::uint64_t first);
  void end_list();
  // An item of the innermost list; `marker` false for what belongs to the item before (dd).
  void begin_item(bool marker);
  void begin_table();
  void end_table();
  void begin_row();
  void end_row();
  void begin_cell(bool header);
  void begin_pre();
  void end_pre();
  void begin_quote();
  void end_quote();

  // The extracted text becomes that of the document.
  void finish();

 private:
  struct List {
    bool ordered = false;
    std::uint64_t next = 1;
  };

  void end_line();
  void end_block(std::string_view type, ByteSpan header = {});
  std::string_view flow_type() const { return quotes_ > 0 ? "quote" : "paragraph"; }
  bool on_own() const {
    return lists_.empty() && tables_ == 0;
  }  // neither in a list nor in a table

  ParsedDocument& parsed_;
  Outline outline_;
  std::string out_;
  std::string line_;    // white space collapsed, none at its ends
  bool space_ = false;  // between line_ and what comes
  std::string marker_;  // of the item whose first line this is
  std::vector<List> lists_;
  int tables_ = 0, quotes_ = 0, pres_ = 0;
  bool in_row_ = false, all_header_ = false;
  std::size_t cells_ = 0;
  ByteSpan header_;  // of the table in work
  std::size_t table_begin_ = 0;
};

}  // namespace ragline
