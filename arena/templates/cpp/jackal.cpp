// A bot for Jackal & High: hit the numbers on display exactly, those with many paws first.
// The three lines to change first are marked.

#include <algorithm>
#include <vector>

#include "arena.h"

using namespace arena::wire::v1;

const int LUCKY8 = 8;
const int FACES = 8;
const int DICE = 3;

// The paws of a card; the Lucky8 has none, but wins the cards left over.
double worth_of(int card, const MatchStart& match) {
  if (card == LUCKY8) return 3;
  return match.parameters().jackal().paws(card < LUCKY8 ? card - 1 : card - 2);
}

// Estimate how many paws an action wins.
double merit(const JackalAction& action, const JackalView& view, const MatchStart& match) {
  if (!action.has_place()) return 0.5;  // 1 change me: what is another roll of the last die worth?
  const JackalDice& laid = view.laid(match.seat());
  std::vector<int> stacks(laid.stacks().begin(), laid.stacks().end());
  std::vector<int> faces(laid.faces().begin(), laid.faces().end());
  stacks.insert(stacks.end(), action.place().stacks().begin(), action.place().stacks().end());
  faces.insert(faces.end(), view.rolled().begin(), view.rolled().end());
  const int placed = stacks.size() - std::count(stacks.begin(), stacks.end(), 0);
  const int in_hand = DICE - static_cast<int>(laid.valley()) - placed;
  double total = 0;
  for (int at = 0; at < view.cards_size(); ++at) {
    const int card = view.cards(at);
    const bool has_dice = std::count(stacks.begin(), stacks.end(), at + 1) > 0;
    int missing = card;
    for (std::size_t die = 0; die < faces.size(); ++die) {
      if (stacks[die] == at + 1) missing -= faces[die];
    }
    if (missing == 0) {
      total += worth_of(card, match);
    } else if (has_dice && missing <= FACES * in_hand) {
      total += worth_of(card, match) / 4;  // 2 change me: how likely are the next dice to hit it?
    }
  }
  return total;
}

// Return one of the legal actions: its jackal().place() says for each of the rolled dice on which
// stack to put it, or 0 to keep it; again() rolls again.
Action choose(const View& any, const Actions& legal, const MatchStart& match) {
  const JackalView& view = any.jackal();
  if (view.spoils(match.seat()).cards_size() > 0) {
    return legal[0];  // 3 change me: the top card of the pile is lost first
  }
  std::vector<double> merits;
  for (const Action& action : legal) merits.push_back(merit(action.jackal(), view, match));
  return legal[std::max_element(merits.begin(), merits.end()) - merits.begin()];
}

int main() { return run("{{name}}", "jackal", choose); }
