"use strict";
// A bot for Trio: turn up numbers of which most cards have been seen.
// The three lines to change first are marked.

const FIRST_HAND = 9;

// Return what to turn up, one of the legal actions: { centre: 3 }, { low: 2 } or { high: 2 } with
// the seat; in a swap { give: 7 } or { keep: true }.
function choose(view, legal, match) {
  if (view.phase.length > 0) {
    return legal.at(-1); // 1 change me: the last is to keep all cards, the others give one away
  }
  const known = legal.map((action) => numberAt(action, view, match.seat));
  if (view.shown.length > 0) {
    const wanted = numberShown(view);
    const same = legal[known.indexOf(wanted)];
    return same ?? legal[known.indexOf(0)] ?? legal[0]; // 2 change me: which of the unknown?
  }
  const often = (at) => (known[at] ? known.filter((number) => number === known[at]).length : 0);
  const places = [...legal.keys()].sort((a, b) => often(b) - often(a));
  return legal[places[0]]; // 3 change me: where to begin?
}

// The number at a place, as far as this seat knows; 0 if it does not.
function numberAt(action, view, ownSeat) {
  if (action.centre !== undefined) return view.centre[action.centre];
  const isLow = action.low !== undefined;
  const seat = isLow ? action.low : action.high;
  const known = view.known[seat];
  let cards = isLow || known.low.length === known.size ? known.low : known.high;
  if (seat === ownSeat) cards = view.hand;
  const place = FIRST_HAND + 2 * seat + (isLow ? 0 : 1);
  const turnedUp = view.shown.filter((shown) => shown === place).length;
  return (isLow ? cards[turnedUp] : cards.at(-1 - turnedUp)) ?? 0;
}

// The number that is face up in this turn. What was turned up is known to the whole table.
function numberShown(view) {
  const place = view.shown[0];
  if (place < FIRST_HAND) return view.centre[place];
  const { low, high } = view.known[Math.floor((place - FIRST_HAND) / 2)];
  const isLow = (place - FIRST_HAND) % 2 === 0;
  return isLow ? low[0] : (high.at(-1) ?? low.at(-1));
}

module.exports = { choose };
if (require.main === module) require("./arena.js").run("trio", choose);
