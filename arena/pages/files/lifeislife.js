// Draws a table of Life is Life.

const WORTH = { giraffe: 9, bear: 8, mole: 7, goat: 7, sheep: 6, dog: 6, rabbit: 5, pig: 5, cat: 4, mouse: 3 };
const ANIMALS = Object.keys(WORTH);

const animal = (name, kind = "", number = 1) =>
  piece(name, kind, [number > 1 ? `${number} of them` : "", kind.includes("scores") ? "scores" : ""].filter(Boolean).join(", "), many(number));

const countAnimals = (cards) =>
  ANIMALS.map((name) => [name, cards.filter((each) => each === name).length]).filter(([, number]) => number);

// RULES 7: only a strict majority of an animal scores; with two players left, it needs two cards.
function majorities(hands) {
  const least = hands.filter((hand) => hand.length).length === 2 ? 2 : 1;
  const winners = {};
  for (const name of ANIMALS) {
    const counts = hands.map((hand) => hand.filter((each) => each === name).length);
    const best = Math.max(...counts);
    if (best >= least && counts.filter((number) => number === best).length === 1) winners[name] = counts.indexOf(best);
  }
  return winners;
}

// The points of a hand if the round ended now: those of its majorities.
function pointsOf({ hands, parameters }, seat) {
  const winners = majorities(hands);
  return ANIMALS.filter((name) => winners[name] === seat)
    .reduce((total, name) => total + Math.min(WORTH[name], parameters.copies || 9), 0);
}

const game = {
  periods: (view) => ({ round: view.round }),

  legend: (viewpoint) =>
    (viewpoint === null
      ? "All hands are shown; dashed cards are unknown to the other players. "
      : "Of other hands, only the cards taken from rows are known. ") +
    "The number on a card is the value of a majority of that animal.",

  table(views, down, viewpoint) {
    const view = views[viewpoint ?? 0];
    const { round, out, parameters, row_herds: rows, known_herds: known } = view;
    return {
      ...view,
      rows,
      known,
      hands: seats.map((seat) => {
        if (out[seat] >= 0 && out[seat] < round) return [];
        if (viewpoint === null || viewpoint === seat) return views[seat].hand_herd;
        return [...known[seat], ...times((parameters.hand || 10) - known[seat].length, () => null)];
      }),
      unused: viewpoint === null ? down : [],
    };
  },

  scenes(before, after, events) {
    const [decided, rest] = splitBefore(events, "scored", "sudden");
    const swapped = events.find((event) => event.kind === "swapped");
    if (!rest.length) return [{ ...after, swapped, events }];
    const [settled, dealt] = splitBefore(rest, "round");
    const rows = [...before.rows];
    let { hands, known } = before;
    if (swapped) {
      const { seat, row, laid, taken } = swapped;
      rows[row - 1] = laid;
      // A card laid down that was not visible was one of the face-down cards.
      const lay = (cards, each) => without(cards, cards.includes(each) ? each : null);
      hands = hands.with(seat, [...laid.reduce(lay, hands[seat]), ...taken]);
      known = known.with(seat, [...laid.reduce(without, known[seat]), ...taken]);
    }
    const knocker = events.some((event) => event.kind === "knocked") && before.knocker < 0
      ? events[0].seat : before.knocker;
    const last = { ...before, rows, hands, known, knocker, swapped, events: decided };
    const [end] = settled;
    const { lives, out } = after;
    const { lost, totals } = end;
    const result = { ...last, swapped: null, lives, out, lost, totals, events: settled };
    if (end.kind === "scored") {
      result.hands = end.hands;
      result.winners = majorities(end.hands);
    } else {
      result.hands = hands.with(end.seat, end.hand);
      result.known = known.with(end.seat, end.hand);
      result.sudden = end.seat;
    }
    const scenes = [last, result];
    if (dealt.length) scenes.push({ ...after, events: dealt });
    return scenes;
  },

  draw(scene) {
    const laid = scene.swapped ? scene.swapped.row - 1 : -1;
    const rows = scene.rows.map((row, at) =>
      el("div", { class: "row" }, el("small", {}, `row ${at + 1}`),
        ...row.map((name) => animal(name, at === laid ? "up" : ""))));
    const knock = scene.knocker < 0 ? null
      : el("p", { class: "note" }, chip(scene.knocker), " knocked: this is the last lap.");
    const unused = scene.unused.length
      ? fold(`${scene.unused.length} unused cards, hidden from all players`, "unused",
        el("div", { class: "hand" }, ...countAnimals(scene.unused).map(([name, number]) => animal(name, "", number))))
      : null;
    return [
      zone(`Round ${scene.round + 1}`, "board", el("div", { class: "rows" }, ...rows), knock),
      el("div", { class: "seats" }, ...seats.map((seat) => this.panel(scene, seat))),
      ...(unused ? [unused] : []),
    ];
  },

  panel(scene, seat) {
    const lost = scene.lost?.[seat] ?? 0;
    const lives = scene.lives[seat];
    const hearts = labelled(count(lives, "life", "lives"), { class: "lives" },
      ...times(lives, () => el("span", {}, "♥")), ...times(lost, () => el("span", { class: "lost" }, "♡")));
    const cards = scene.hands[seat];
    if (!cards.length) {
      return player(scene, seat, hearts, el("em", {}, `out since round ${scene.out[seat] + 1}`));
    }
    const isOpen = scene.viewpoint === null && !scene.lost;
    const verdict = scene.lost ? el("p", { class: "verdict" }, this.verdict(scene, seat))
      : isOpen ? el("p", { class: "note" }, `${count(pointsOf(scene, seat), "point")} if the round ended now`) : null;
    return player(scene, seat, hearts, el("div", { class: "hand" }, ...this.hand(scene, seat, cards)), verdict);
  },

  verdict({ lost, totals, sudden }, seat) {
    const cost = lost[seat] ? `loses ${count(lost[seat], "life", "lives")}` : "loses nothing";
    if (totals) return `${count(totals[seat], "point")}: ${cost}`;
    return sudden === seat ? "a complete set: sudden death" : cost;
  },

  hand(scene, seat, cards) {
    const taken = scene.swapped?.seat === seat ? scene.swapped.taken : [];
    const isSecret = scene.viewpoint === null && !scene.winners;
    const known = isSecret ? scene.known[seat] : cards;
    const stacks = countAnimals(cards.filter(Boolean)).flatMap(([name, number]) => {
      const seen = Math.min(number, known.filter((each) => each === name).length);
      const kind = scene.winners?.[name] === seat ? "scores" : taken.includes(name) ? "up" : "";
      return [[name, seen, kind], [name, number - seen, `${kind} unseen`]].filter(([, some]) => some);
    });
    const hidden = cards.filter((each) => each === null).length;
    return [
      ...stacks.map(([name, number, kind]) => animal(name, kind, number)),
      hidden ? piece("back", "", `${hidden} cards`, many(hidden)) : null,
    ];
  },
};
