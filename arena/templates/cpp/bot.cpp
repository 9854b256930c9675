// A bot for {{title}}: it plays any legal action. The line to change first is marked.

#include <random>
#include <vector>

#include "arena.h"

using namespace arena::wire::v1;

// Return one of the legal actions. `number` counts the decisions of this seat in the match.
Action choose(const View& view, const Actions& legal, const MatchStart& match, unsigned number) {
  // A replayed match has the same seed, so the bot plays the same actions in it.
  std::vector<unsigned> parts(match.bot_seed().begin(), match.bot_seed().end());
  parts.push_back(number);
  std::seed_seq seed(parts.begin(), parts.end());
  std::mt19937 random(seed);
  return legal[random() % legal.size()];  // change me: which action is good?
}

int main() { return run("{{name}}", "{{game}}", choose); }
