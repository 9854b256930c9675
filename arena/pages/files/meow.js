// Draws a table of MEOW.

const game = {
  turn: "trick",
  gains: true,
  periods: (view) => ({ round: view.round, turn: `${view.round} ${view.row}` }),

  legend: (viewpoint) =>
    (viewpoint === null ? "All hands are shown. " : "Other hands are face down. ") +
    "The winner of a trick takes the leftmost prize of the row.",

  table(views, down, viewpoint) {
    const view = views[viewpoint ?? 0];
    return {
      ...view,
      trick: view.trick.map((name, at) => ({ seat: (view.leader + at) % seats.length, name })),
      hands: seats.map((seat) => {
        if (viewpoint === null || viewpoint === seat) return views[seat].hand_mask;
        return times((view.parameters.hand || 9) - view.played_masks[seat].length, () => "back");
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
    const row = scene.row.map((token, at) => piece(token, at ? "" : isWon ? "up taken" : "up"));
    const trick = scene.trick.map(({ seat, name }, at) =>
      el("div", { class: "play" },
        piece(name, `big ${scene.winner === seat ? "up" : ""}`),
        el("small", {}, chip(seat), at === 0 ? " led" : "", scene.winner === seat ? " wins" : "")));
    const panels = seats.map((seat) => {
      const lacks = scene.voids[seat];
      const hand = scene.hands[seat].map((name) => piece(name));
      return player(scene, seat, count(scene.scores[seat], "point"),
        el("div", { class: "hand" }, ...(hand.length ? hand : [el("em", {}, "no cards")])),
        lacks === "none" ? null : el("p", { class: "note" }, `has no ${lacks.replaceAll("+", " nor ")}`),
        el("div", { class: "tokens" }, ...scene.won[seat].map((token) => piece(token, "small"))));
    });
    const folded = [
      scene.later.length && fold(`${scene.later.length} prizes for later rounds, order unknown`, "later",
        el("div", { class: "tokens" }, ...scene.later.map((token) => piece(token)))),
      scene.left?.length && fold(`${scene.left.length} undealt cards, hidden from all players`, "left",
        el("div", { class: "hand" }, ...scene.left.map((name) => piece(name)))),
    ].filter(Boolean);
    return [
      el("div", { class: "middle" },
        zone(`Round ${scene.round + 1} of ${scene.parameters.rounds || 3}: the row`, "row",
          el("div", { class: "tokens" }, ...(row.length ? row : [el("em", {}, "empty")]))),
        zone("Trick", "trick",
          el("div", { class: "plays" }, ...(trick.length ? trick : [el("em", {}, "nothing played yet")])))),
      el("div", { class: "seats" }, ...panels),
      ...folded,
    ];
  },
};
