#include "grep/pike.h"

#include <algorithm>

namespace ragline {

using Kind = Regex::Kind;

PikeVm::PikeVm(const Regex& regex, bool multiline) : multiline_(multiline) {
  compile(regex);
  add({.kind = Instruction::Kind::kMatch});
  now_.seen.assign(program_.size(), 0);
  next_.seen.assign(program_.size(), 0);
}

std::uint32_t PikeVm::add(Instruction instruction) {
  const auto at = static_cast<std::uint32_t>(program_.size());
  if (instruction.kind != Instruction::Kind::kSplit && instruction.kind != Instruction::Kind::kJump)
    instruction.next = at + 1;
  program_.push_back(std::move(instruction));
  return at;
}

// Code falls through to what is added next.
void PikeVm::compile(const Regex& node) {
  using Op = Instruction::Kind;
  switch (node.kind) {
    case Kind::kEmpty: return;
    case Kind::kLiteral:
      add({.kind = Op::kCharacter,
           .characters = node.fold ? fold_orbit(node.code_point) : std::vector<char32_t>{node.code_point}});
      return;
    case Kind::kClass: add({.kind = Op::kClass, .set = node.set}); return;
    case Kind::kAny: add({.kind = Op::kAny}); return;
    case Kind::kDot: add({.kind = Op::kAny, .newline = false}); return;
    case Kind::kConcat:
    case Kind::kCapture:
      for (const Regex& child : node.children) compile(child);
      return;
    case Kind::kAlternate: {
      std::vector<std::uint32_t> jumps;
      for (std::size_t i = 0; i + 1 < node.children.size(); ++i) {
        const auto split = add({.kind = Op::kSplit});
        program_[split].next = split + 1;
        compile(node.children[i]);
        jumps.push_back(add({.kind = Op::kJump}));
        program_[split].other = static_cast<std::uint32_t>(program_.size());
      }
      compile(node.children.back());
      for (const auto jump : jumps) program_[jump].next = static_cast<std::uint32_t>(program_.size());
      return;
    }
    case Kind::kRepeat: compile_repeat(node); return;
    default: add({.kind = Op::kAssert, .assertion = node.kind});
  }
}

void PikeVm::compile_repeat(const Regex& node) {
  using Op = Instruction::Kind;
  auto branch = [&](std::uint32_t split, std::uint32_t inside, std::uint32_t behind) {
    program_[split].next = node.greedy ? inside : behind;
    program_[split].other = node.greedy ? behind : inside;
  };
  auto here = [&] { return static_cast<std::uint32_t>(program_.size()); };
  for (int i = 0; i < node.least; ++i) compile(node.children[0]);
  if (node.most < 0) {
    const auto split = add({.kind = Op::kSplit});
    compile(node.children[0]);
    const auto jump = add({.kind = Op::kJump});
    program_[jump].next = split;
    branch(split, split + 1, here());
    return;
  }
  std::vector<std::uint32_t> splits;
  for (int i = node.least; i < node.most; ++i) {
    splits.push_back(add({.kind = Op::kSplit}));
    compile(node.children[0]);
  }
  for (const auto split : splits) branch(split, split + 1, here());
}

bool PikeVm::accepts(const Instruction& instruction, char32_t code_point) const {
  if (code_point == kIllFormed) return false;
  switch (instruction.kind) {
    case Instruction::Kind::kCharacter: return std::ranges::find(instruction.characters, code_point) != instruction.characters.end();
    case Instruction::Kind::kClass: return instruction.set.accepts(code_point);
    default: return instruction.newline || code_point != '\n';
  }
}

bool PikeVm::holds(Kind assertion, std::string_view text, std::size_t at) const {
  switch (assertion) {
    case Kind::kLineStart: return at == 0 || (multiline_ && text[at - 1] == '\n');
    case Kind::kTextStart: return at == 0;
    case Kind::kLineEnd: return at == text.size() || (multiline_ && text[at] == '\n');
    case Kind::kTextEnd: return at == text.size();
    case Kind::kBoundary: return word_ends_at(text, at) != word_begins_at(text, at);
    case Kind::kNotBoundary: return word_ends_at(text, at) == word_begins_at(text, at);
    case Kind::kWordStart: return word_may_begin(text, at);
    case Kind::kWordEnd: return word_may_end(text, at);
    default: return true;
  }
}

// Adds `at` and all that it leads to without a character, preferred ways first.
void PikeVm::follow(List& list, std::uint32_t at, std::size_t begin, std::string_view text, std::size_t place) {
  stack_.push_back(at);
  while (!stack_.empty()) {
    const std::uint32_t top = stack_.back();
    stack_.pop_back();
    if (list.seen[top] == step_) continue;
    list.seen[top] = step_;
    const Instruction& instruction = program_[top];
    switch (instruction.kind) {
      case Instruction::Kind::kJump: stack_.push_back(instruction.next); break;
      case Instruction::Kind::kSplit:
        stack_.push_back(instruction.other);
        stack_.push_back(instruction.next);
        break;
      case Instruction::Kind::kAssert:
        if (holds(instruction.assertion, text, place)) stack_.push_back(instruction.next);
        break;
      default: list.threads.push_back({top, begin});
    }
  }
}

bool PikeVm::find(std::string_view text, std::size_t from, ByteSpan& span) {
  bool found = false;
  now_.threads.clear();
  ++step_;
  for (std::size_t at = from;;) {
    if (!found) follow(now_, 0, at, text, at);
    if (now_.threads.empty() && found) return true;
    std::size_t size = 1;
    const bool ended = at >= text.size();
    const char32_t code_point = ended ? kIllFormed : code_point_at(text, at, size);
    next_.threads.clear();
    ++step_;
    for (const Thread& thread : now_.threads) {
      const Instruction& instruction = program_[thread.at];
      if (instruction.kind == Instruction::Kind::kMatch) {
        found = true;
        span = {thread.begin, at};
        break;  // what comes after is less preferred
      }
      if (accepts(instruction, code_point)) follow(next_, instruction.next, thread.begin, text, at + size);
    }
    std::swap(now_, next_);
    if (ended) return found;
    at += size;
  }
}

}  // namespace ragline
