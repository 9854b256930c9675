// A bot for MEOW: win good prizes with high cards, and discard high cards on bad ones.
// The three lines to change first are marked.

#include <algorithm>
#include <vector>

#include "arena.h"

using namespace arena::wire::v1;

const int GREEN = 2;
int colour(int card) { return card / 18; }
int rank(int card) { return card % 18 + 1; }

// Rank cards of all colours, the weakest first: any green beats any other.
int strength(int card) { return rank(card) + (colour(card) == GREEN ? 100 : 0); }

// The card that wins the trick so far; together with the 18 of its colour, a 1 is the highest.
int winner_of(const std::vector<int>& trick) {
  const auto is_green = [](int card) { return colour(card) == GREEN; };
  const bool has_green = std::any_of(trick.begin(), trick.end(), is_green);
  const int trump = has_green ? GREEN : colour(trick[0]);
  std::vector<int> suit;
  for (int card : trick) {
    if (colour(card) == trump) suit.push_back(card);
  }
  const auto [lowest, highest] = std::minmax_element(suit.begin(), suit.end());
  return rank(*lowest) == 1 && rank(*highest) == 18 ? *lowest : *highest;
}

bool wins(int card, const MeowView& view) {
  std::vector<int> trick(view.trick().begin(), view.trick().end());
  trick.push_back(card);
  return winner_of(trick) == card;
}

// Return one of the legal actions: its meow().card() is 17 for the pink 18.
Action choose(const View& any, const Actions& legal, const MatchStart& match) {
  const MeowView& view = any.meow();
  std::vector<Action> cards(legal.begin(), legal.end());
  std::sort(cards.begin(), cards.end(), [](const Action& a, const Action& b) {
    return strength(a.meow().card()) < strength(b.meow().card());
  });
  std::vector<Action> winners, losers;
  for (const Action& action : cards) {
    (wins(action.meow().card(), view) ? winners : losers).push_back(action);
  }
  const bool is_good = view.row(0) > 0;  // 1 change me: a fish is 100, a vase is -100
  if (is_good) {
    return winners.empty() ? cards[0] : winners.back();  // 2 change me: how high to play for it?
  }
  return losers.empty() ? cards[0] : losers.back();  // 3 change me: what to play against a bad one?
}

int main() { return run("{{name}}", "meow", choose); }
