#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "corpus/glob.h"
#include "corpus/source.h"

namespace ragline {

// Governance labels from beside the documents (build --labels FILE): JSON Lines, each row a path glob and what holds for
// the documents it matches. Later rows override earlier ones field by field; labels a document brings itself (records, trusted front matter)
// are overridden too, because the operator's file is the authority.
//
//   {"path": "**", "tenant": "acme", "acl": ["staff"]}
//   {"path": "hr/**", "acl": ["hr"], "effective_from": "2026-01-01"}
class Labels {
 public:
  // "" is no labels. kData "file:line: what: remedy".
  static Result<Labels> read(const std::string& file);
  // By the document's id (its path below the root, for files).
  void apply(ChunkedDocument& document) const;
  // Of the file's bytes; empty without one. Part of what decides whether files are read again.
  const std::string& checksum() const { return checksum_; }

 private:
  struct Rule {
    Glob glob;
    Governance governance;
  };
  std::vector<Rule> rules_;
  std::string checksum_;
};

}  // namespace ragline
