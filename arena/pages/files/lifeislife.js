// Draws a table of Life is Life.

const WORTH = { giraffe: 9, bear: 8, mole: 7, goat: 7, sheep: 6, dog: 6, rabbit: 5, pig: 5, cat: 4, mouse: 3 };
const ANIMALS = Object.keys(WORTH);
// A head consists of ears, a shape and a nose.
const EARS = {
  horns: "M9 8L8 2M15 8l1-6M5 9l-3-2 3-1zM19 9l3-2-3-1z",
  round: "M7 7m-3.4 0a3.4 3.4 0 1 0 6.8 0a3.4 3.4 0 1 0-6.8 0M17 7m-3.4 0a3.4 3.4 0 1 0 6.8 0a3.4 3.4 0 1 0-6.8 0",
  large: "M6 7m-4.6 0a4.6 4.6 0 1 0 9.2 0a4.6 4.6 0 1 0-9.2 0M18 7m-4.6 0a4.6 4.6 0 1 0 9.2 0a4.6 4.6 0 1 0-9.2 0",
  long: "M8 11C5 6 6 1 8 1s3 5 2.6 9zM16 11c3-5 2-10 0-10s-3 5-2.6 9z",
  pointed: "M4.5 12L5 3l6 5zM19.5 12L19 3l-6 5z",
  hanging: "M7 7C2 6 1 12 3 17c3 0 4-4 4-6zM17 7c5-1 6 5 4 10-3 0-4-4-4-6z",
  curved: "M9 9C8 4 5 2 2 3c3 1 3 4 4 7zM15 9c1-5 4-7 7-6-3 1-3 4-4 7z",
  none: "",
};
const NOSES = {
  dot: "M10.8 15h2.4l-1.2 1.5z",
  snout: "M8.4 16a3.6 2.6 0 1 0 7.2 0a3.6 2.6 0 1 0-7.2 0M10.6 16v.2M13.4 16v.2",
  muzzle: "M8.8 17.4a3.2 2.8 0 1 0 6.4 0a3.2 2.8 0 1 0-6.4 0M11 16.6h2",
  pink: "M9.6 17a2.4 2.2 0 1 0 4.8 0a2.4 2.2 0 1 0-4.8 0",
};
const HEADS = {
  giraffe: ["horns", "long", "muzzle"], bear: ["round", "wide", "muzzle"], mole: ["none", "wide", "pink"],
  goat: ["curved", "long", "dot"], sheep: ["hanging", "wide", "dot"], dog: ["hanging", "long", "muzzle"],
  rabbit: ["long", "wide", "dot"], pig: ["pointed", "wide", "snout"], cat: ["pointed", "wide", "dot"],
  mouse: ["large", "long", "dot"],
};
const SHAPES = {
  wide: "M4.5 14a7.5 7 0 1 0 15 0a7.5 7 0 1 0-15 0",
  long: "M6 13a6 5.6 0 0 1 12 0c0 3-1.6 9-6 9s-6-6-6-9",
};

function animal({ parameters }, name, kind = "", many = 1) {
  const [ears, shape, nose] = HEADS[name];
  const label = many > 1 ? `${many} × ${name}` : name;
  const scores = kind.includes("scores");
  // RULES 15: no animal has more copies in a small match.
  const worth = Math.min(WORTH[name], parameters.copies || 9);
  return labelled(scores ? `${label}, scores` : label, { class: `card animal ${name} ${kind}` },
    svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" },
      svg("path", { class: "ears", d: EARS[ears] }),
      svg("path", { class: "head", d: SHAPES[shape] }),
      svg("path", { class: "nose", d: NOSES[nose] }),
      svg("path", { class: "eyes", d: "M9.2 12.3v.1M14.8 12.3v.1" })),
    el("small", {}, name),
    el("i", {}, scores ? `${worth} ✓` : worth),
    many > 1 ? el("b", { class: "many" }, `×${many}`) : null);
}

const countAnimals = (cards) =>
  ANIMALS.map((name) => [name, cards.filter((each) => each === name).length]).filter(([, many]) => many);

// RULES 7: only a strict majority of an animal scores; with two players left, it needs two cards.
function majorities(hands) {
  const least = hands.filter((hand) => hand.length).length === 2 ? 2 : 1;
  const winners = {};
  for (const name of ANIMALS) {
    const counts = hands.map((hand) => hand.filter((each) => each === name).length);
    const best = Math.max(...counts);
    if (best >= least && counts.filter((many) => many === best).length === 1) winners[name] = counts.indexOf(best);
  }
  return winners;
}

const shortHerd = (herd) =>
  countAnimals(herd).map(([name, many]) => (many > 1 ? `${many}×${name}` : name)).join(" ");

const game = {
  periods: (view) => ({ round: view.round }),

  short: {
    round: () => "dealt",
    swapped: ({ row, laid, taken }) => `row ${row}: ${shortHerd(laid)} → ${shortHerd(taken)}`,
    knocked: () => "knock",
    sudden: ({ seat }) => `sudden death by seat ${seat}`,
    scored: ({ totals, lost }) => `points ${totals.join(" ")}, lives lost ${lost.join(" ")}`,
    out: ({ seat }) => `seat ${seat} is out`,
  },

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
        ...row.map((name) => animal(scene, name, at === laid ? "up" : ""))));
    const knock = scene.knocker < 0 ? null
      : el("p", { class: "note" }, chip(scene.knocker), " knocked: this is the last lap.");
    const unused = scene.unused.length
      ? fold(`${scene.unused.length} unused cards, hidden from all players`, "unused",
        el("div", { class: "hand" }, ...countAnimals(scene.unused).map(([name, many]) => animal(scene, name, "", many))))
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
    const verdict = scene.lost ? el("p", { class: "verdict" }, this.verdict(scene, seat)) : null;
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
    const stacks = countAnimals(cards.filter(Boolean)).flatMap(([name, many]) => {
      const seen = Math.min(many, known.filter((each) => each === name).length);
      const kind = scene.winners?.[name] === seat ? "scores" : taken.includes(name) ? "up" : "";
      return [[name, seen, kind], [name, many - seen, `${kind} unseen`]].filter(([, some]) => some);
    });
    const hidden = cards.filter((each) => each === null).length;
    return [
      ...stacks.map(([name, many, kind]) => animal(scene, name, kind, many)),
      hidden ? labelled(`${hidden} face down`, { class: "card back" },
        el("b", { class: "many" }, `×${hidden}`)) : null,
    ];
  },
};
