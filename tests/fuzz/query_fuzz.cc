// The query language: any bytes parse, the tree stays within its bounds, and its text parses to the
// same tree.
#include "fuzz.h"
#include "lexical/query.h"

using ragline::QueryNode;
using ragline::fuzz::require;

namespace {

std::size_t check_nodes(const QueryNode& node, std::string_view query, int depth) {
  require(depth <= 33);
  require(node.begin <= node.end && node.end <= query.size());
  require(node.children.empty() || node.kind == QueryNode::Kind::kGroup);
  require(!node.text.empty() || node.kind == QueryNode::Kind::kGroup);
  require(node.boost > 0 && node.boost < 10000 && node.distance < 1000);
  std::size_t count = 1;
  for (const QueryNode& child : node.children) count += check_nodes(child, query, depth + 1);
  return count;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view query = ragline::fuzz::text(data, size);
  const QueryNode tree = ragline::parse_query(query);
  require(check_nodes(tree, query, 0) <= 4097);
  require(ragline::parse_query(ragline::query_text(tree)) == tree);
  return 0;
}
