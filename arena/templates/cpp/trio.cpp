// A bot for Trio: turn up the numbers it has seen most often.
// The three lines to change first are marked.

#include <algorithm>
#include <vector>

#include "arena.h"

using namespace arena::wire::v1;

const int FIRST_HAND = 9;

// The number at a place, or 0 if this seat does not know it.
int number_at(const TrioAction& action, const TrioView& view, int own_seat) {
  if (action.has_centre()) return view.centre(action.centre());
  const bool is_low = action.has_low();
  const int seat = is_low ? action.low() : action.high();
  const TrioKnown& known = view.known(seat);
  const bool is_all_low = known.low_size() == static_cast<int>(known.size());
  const auto& seen = is_low || is_all_low ? known.low() : known.high();
  const auto& cards = seat == own_seat ? view.hand() : seen;
  const unsigned place = FIRST_HAND + 2 * seat + (is_low ? 0 : 1);
  const int turned_up = std::count(view.shown().begin(), view.shown().end(), place);
  if (turned_up >= cards.size()) return 0;
  return is_low ? cards[turned_up] : cards[cards.size() - 1 - turned_up];
}

// The number that is face up in this turn. Everyone has seen the cards turned up.
int number_shown(const TrioView& view) {
  const int place = view.shown(0);
  if (place < FIRST_HAND) return view.centre(place);
  const TrioKnown& known = view.known((place - FIRST_HAND) / 2);
  const bool is_low = (place - FIRST_HAND) % 2 == 0;
  if (is_low) return known.low(0);
  const auto& cards = known.high_size() > 0 ? known.high() : known.low();
  return cards[cards.size() - 1];
}

// The first place with this number, or -1.
int place_of(int number, const std::vector<int>& known) {
  const auto found = std::find(known.begin(), known.end(), number);
  return found == known.end() ? -1 : found - known.begin();
}

// Return one of the legal actions: its trio() has centre() for a slot of the centre, low() or
// high() for an end of a seat's hand; in a swap, give() or keep().
Action choose(const View& any, const Actions& legal, const MatchStart& match) {
  const TrioView& view = any.trio();
  if (view.phase_size() > 0) {
    return legal[legal.size() - 1];  // 1 change me: the last keeps all cards, others give one away
  }
  std::vector<int> known;
  for (const Action& action : legal) known.push_back(number_at(action.trio(), view, match.seat()));
  if (view.shown_size() > 0) {
    const int same = place_of(number_shown(view), known);
    if (same >= 0) return legal[same];
    return legal[std::max(0, place_of(0, known))];  // 2 change me: which unknown one?
  }
  const auto often = [&](int number) {
    return number ? std::count(known.begin(), known.end(), number) : 0;
  };
  const auto best = std::max_element(known.begin(), known.end(),
                                     [&](int a, int b) { return often(a) < often(b); });
  return legal[best - known.begin()];  // 3 change me: where to start?
}

int main() { return run("{{name}}", "trio", choose); }
