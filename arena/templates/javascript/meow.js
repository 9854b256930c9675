"use strict";
// A bot for MEOW: win good prizes with high cards, and discard high cards on bad ones.
// The three lines to change first are marked.

const GREEN = 2;
const colour = (card) => Math.floor(card / 18);
const rank = (card) => (card % 18) + 1;

// Return the legal card to play: { card: 17 } is the pink 18.
function choose(view, legal, match) {
  const cards = [...legal].sort((a, b) => strength(a.card) - strength(b.card));
  const winners = cards.filter(({ card }) => winnerOf([...view.trick, card]) === card);
  const losers = cards.filter((action) => !winners.includes(action));
  const isGood = view.row[0] > 0; // 1 change me: is the prize good? A fish is 100, a vase is -100
  if (isGood) return winners.at(-1) ?? cards[0]; // 2 change me: how high to play for it?
  return losers.at(-1) ?? cards[0]; // 3 change me: what to play against a bad one?
}

// Rank cards of all colours, the weakest first: any green beats any other.
function strength(card) {
  return rank(card) + (colour(card) === GREEN ? 100 : 0);
}

// The card that wins the trick so far; together with the 18 of its colour, a 1 is the highest.
function winnerOf(trick) {
  const trump = trick.some((card) => colour(card) === GREEN) ? GREEN : colour(trick[0]);
  const suit = trick.filter((card) => colour(card) === trump).sort((a, b) => a - b);
  const [lowest, highest] = [suit[0], suit.at(-1)];
  return rank(lowest) === 1 && rank(highest) === 18 ? lowest : highest;
}

module.exports = { choose };
if (require.main === module) require("./arena.js").run("meow", choose);
