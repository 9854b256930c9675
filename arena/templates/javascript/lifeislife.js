"use strict";
// A bot for Life is Life: collect many cards of few animals, and knock with a good hand.
// The three lines to change first are marked.

const VALUES = [9, 8, 7, 7, 6, 6, 5, 5, 4, 3]; // from the giraffe to the mouse; also the card count
const ENOUGH = 18; // 1 change me: how good must a hand be to knock?

// Return one of the legal actions: { swap: { counts: [0, 1, …] } } lays down these cards and
// takes the row of the same size; { knock: true } announces the last lap.
function choose(view, legal, match) {
  const knock = legal.find((action) => action.knock);
  const now = worth(view.hand.counts);
  if (knock && now >= ENOUGH) return knock;
  const swaps = legal.filter((action) => action.swap);
  const worths = swaps.map((action) => worth(handAfter(action.swap.counts, view)));
  const best = Math.max(...worths);
  const isLastLap = view.knocker >= 0;
  if (isLastLap && best <= now) return knock; // 2 change me: this passes the turn
  return swaps[worths.indexOf(best)];
}

// The hand after a swap: take a row, and lay down the same number of cards.
function handAfter(laid, view) {
  const size = laid.reduce((sum, count) => sum + count, 0);
  const row = view.rows[size - 1].counts;
  return view.hand.counts.map((count, animal) => count + row[animal] - laid[animal]);
}

// Estimate how many points a hand will score.
function worth(counts) {
  let total = 0;
  counts.forEach((count, animal) => {
    const share = count / VALUES[animal];
    total += VALUES[animal] * Math.min(1, 2 * share) ** 2; // 3 change me: half of them win it
  });
  return total;
}

module.exports = { choose };
if (require.main === module) require("./arena.js").run("lifeislife", choose);
