"use strict";
// A bot for Jackal & High: hit the numbers on display exactly, those with many paws first.
// The three lines to change first are marked.

const LUCKY8 = 8;
const FACES = 8;
const DICE = 3;

// Return one of the legal actions: { place: { stacks: [2, 0, 1] } } puts the first of the rolled
// dice on stack 2, keeps the second and puts the third on stack 1; { again: true } rolls again.
function choose(view, legal, match) {
  if (view.spoils[match.seat].cards.length > 0) {
    return legal[0]; // 1 change me: the top card of the pile is lost first
  }
  const merits = legal.map((action) => merit(action, view, match));
  return legal[merits.indexOf(Math.max(...merits))];
}

// Estimate how many paws an action wins.
function merit(action, view, match) {
  if (!action.place) return 0.5; // 2 change me: what is another roll of the last die worth?
  const dice = view.laid[match.seat];
  const stacks = [...dice.stacks, ...action.place.stacks];
  const faces = [...dice.faces, ...view.rolled];
  const inHand = DICE - dice.valley - stacks.filter((stack) => stack > 0).length;
  let total = 0;
  view.cards.forEach((card, at) => {
    const there = faces.filter((_, die) => stacks[die] === at + 1);
    const missing = card - there.reduce((sum, face) => sum + face, 0);
    const worth = worthOf(card, match);
    if (missing === 0) total += worth;
    else if (there.length > 0 && missing <= FACES * inHand) {
      total += worth / 4; // 3 change me: how likely are the next dice to hit it?
    }
  });
  return total;
}

// The paws of a card; the Lucky8 has none, but wins the cards left over.
function worthOf(card, match) {
  if (card === LUCKY8) return 3;
  return match.parameters.jackal.paws[card < LUCKY8 ? card - 1 : card - 2];
}

module.exports = { choose };
if (require.main === module) require("./arena.js").run("jackal", choose);
