"use strict";
// A bot for Trio: turn up the numbers it has seen most often.
// The three lines to change first are marked.

const FIRST_HAND = 9;

// Return one of the legal actions: { centre: 3 } turns up a card in the centre, { low: 2 } or
// { high: 2 } one of seat 2; in a swap, { give: 7 } or { keep: true }.
function choose(view, legal, match) {
  if (view.phase.length > 0) {
    return legal.at(-1); // 1 change me: the last keeps all cards, the others give one away
  }
  const known = legal.map((action) => numberAt(action, view, match.seat));
  if (view.shown.length > 0) {
    const wanted = numberShown(view);
    const same = legal[known.indexOf(wanted)];
    return same ?? legal[known.indexOf(0)] ?? legal[0]; // 2 change me: which unknown one?
  }
  const often = (at) => (known[at] ? known.filter((number) => number === known[at]).length : 0);
  const places = [...legal.keys()].sort((a, b) => often(b) - often(a));
  return legal[places[0]]; // 3 change me: where to start?
}

// The number at a place, or 0 if this seat does not know it.
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

// The number that is face up in this turn. Everyone has seen the cards turned up.
function numberShown(view) {
  const place = view.shown[0];
  if (place < FIRST_HAND) return view.centre[place];
  const { low, high } = view.known[Math.floor((place - FIRST_HAND) / 2)];
  const isLow = (place - FIRST_HAND) % 2 === 0;
  return isLow ? low[0] : (high.at(-1) ?? low.at(-1));
}

module.exports = { choose };
if (require.main === module) require("./arena.js").run("trio", choose);
