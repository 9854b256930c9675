// Draws a table of MEOW.

const COLOURS = { P: "pink", B: "blue", G: "green" };

function kitten(name, kind = "") {
  const rank = name.slice(1);
  const colour = COLOURS[name[0]];
  return labelled(`${colour} ${rank}`, { class: `card kitten ${colour} ${kind}` },
    svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" },
      svg("path", { d: "M4 3l5 4h6l5-4v10a8 7.5 0 0 1-16 0z" }),
      svg("path", { class: "face", d: "M8.6 12.2v1.6M15.4 12.2v1.6M12 15.4v1M10.4 17.4q1.6 1 3.2 0" })),
    el("i", {}, name[0]),
    el("b", {}, rank));
}

const TOKENS = {
  bowl: "M3 10h18l-3 9H6z",
  bone: "M3 8a2.5 2.5 0 0 1 4-2l10 8a2.6 2.6 0 1 1 0 4 2.5 2.5 0 0 1-3 0L5 11a2.5 2.5 0 0 1-2-3z",
  fish: "M2 12c4-7 11-7 15-1l5-4v10l-5-4c-4 6-11 6-15-1z",
  vase: "M8 3h8l-2 4c5 3 4 11 1 14H9c-3-3-4-11 1-14z M12 8l-2 4 3 2-2 4",
};

function prize(token, kind = "") {
  const worth = Number(token);
  const what = Number.isNaN(worth) ? token : worth > 0 ? "bowl" : "bone";
  const label = Number.isNaN(worth) ? token : worth > 0 ? `+${worth}` : `−${-worth}`;
  const description = Number.isNaN(worth) ? token : `${what} worth ${worth}`;
  return labelled(description, { class: `token ${what} ${kind}` },
    svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: TOKENS[what] })),
    el("b", {}, label));
}

const game = {
  turn: "trick",
  periods: (view) => ({ round: view.round, turn: `${view.round} ${view.row}` }),

  short: {
    round: ({ row }) => `row ${row.join(" ")}`,
    played: ({ card: name }) => name,
    won: ({ seat, token }) => `seat ${seat} takes ${token}`,
  },

  legend: (viewpoint) =>
    (viewpoint === null ? "All hands are shown. " : "Other hands are face down. ") +
    "G (green) beats the led colour; the winner of a trick takes the leftmost prize of the row.",

  table(views, down, viewpoint, before, { scores }) {
    const view = views[viewpoint ?? 0];
    return {
      ...view,
      scores,
      trick: view.trick.map((name, at) => ({ seat: (view.leader + at) % seats.length, name })),
      hands: seats.map((seat) => {
        if (viewpoint === null || viewpoint === seat) return views[seat].hand_mask;
        return times((view.parameters.hand || 9) - view.played_masks[seat].length, () => null);
      }),
      left: viewpoint === null ? down : null,
    };
  },

  scenes(before, after, events) {
    const won = events.find((event) => event.kind === "won");
    if (!won) return [{ ...after, events }];
    const { seat, card: name } = events[0];
    const trick = [...before.trick, { seat, name }];
    const [settled, dealt] = splitBefore(events, "round");
    const scene = { ...after, trick, winner: won.seat, row: before.row, events: settled };
    if (!dealt.length) return [scene];
    const { round, later, voids, left } = before;
    return [
      { ...scene, round, later, voids, left, hands: seats.map(() => []) },
      { ...after, events: dealt },
    ];
  },

  draw(scene) {
    const isWon = scene.winner !== undefined;
    const row = scene.row.map((token, at) => prize(token, at ? "" : isWon ? "taken" : "first"));
    const trick = scene.trick.map(({ seat, name }, at) =>
      el("div", { class: `play ${scene.winner === seat ? "wins" : ""}` },
        kitten(name, "big"),
        el("small", {}, chip(seat), at === 0 ? " led" : scene.winner === seat ? " wins" : ""),
        at === 0 && scene.winner === seat ? el("small", {}, "wins") : null));
    const later = scene.later.length
      ? fold(`${scene.later.length} prizes for later rounds, order unknown`, "later",
        el("div", { class: "tokens" }, ...scene.later.map((token) => prize(token))))
      : null;
    const panels = seats.map((seat) => {
      const lacks = scene.voids[seat];
      const hand = scene.hands[seat].map((name) => (name === null ? back() : kitten(name)));
      return player(scene, seat, count(scene.scores[seat], "point"),
        el("div", { class: "hand" }, ...(hand.length ? hand : [el("em", {}, "no cards")])),
        lacks === "none" ? null : el("p", { class: "note" }, `has no ${lacks.replaceAll("+", " nor ")}`),
        el("div", { class: "tokens" }, ...scene.won[seat].map((token) => prize(token, "small"))));
    });
    const left = scene.left?.length
      ? fold(`${scene.left.length} undealt cards, hidden from all players`, "left",
        el("div", { class: "hand" }, ...scene.left.map((name) => kitten(name))))
      : null;
    return [
      el("div", { class: "middle" },
        zone(`Round ${scene.round + 1} of ${scene.parameters.rounds || 3}: the row`, "row",
          el("div", { class: "tokens" }, ...(row.length ? row : [el("em", {}, "empty")]))),
        zone("Trick", "trick",
          el("div", { class: "plays" }, ...(trick.length ? trick : [el("em", {}, "nothing played yet")])))),
      el("div", { class: "seats" }, ...panels),
      ...[later, left].filter(Boolean),
    ];
  },
};
