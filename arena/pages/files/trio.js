// Draws a table of Trio.

const FACE_DOWN = "?";
const EMPTY = "x";

// What is known of a hand: each card's number or "?", and whether the whole table has seen it.
function handOf([size, low, high], own) {
  const hidden = times(size - low.length - high.length, () => FACE_DOWN);
  const table = [...low, ...hidden, ...high];
  return table.map((number, at) => ({ number: own ? own[at] : number, seen: number !== FACE_DOWN }));
}

const MARKS = { taken: "✓", returned: "↩" };
const MEANINGS = { taken: "taken", returned: "goes back", up: "turned up" };

// A card; `up` is the event that turned it up in this turn.
function face({ number, seen }, up, mark) {
  if (up) return piece(up.number, `up ${mark}`, MEANINGS[mark], el("sup", {}, MARKS[mark] ?? ""));
  if (number === FACE_DOWN) return piece("back");
  return seen ? piece(number) : piece(number, "unseen", "not seen by all");
}

const game = {
  turn: "turn",
  periods: (view) => ({ turn: view.turn }),

  legend: (viewpoint) =>
    "Dashed cards have not been seen by all players" +
    (viewpoint === null ? ". " : "; cards face down are hidden from this player. ") +
    "Cards turned up in this turn have a thick edge: ↩ if they go back, ✓ if they are taken.",

  table(views, down, viewpoint, before, frame) {
    const view = views[viewpoint ?? 0];
    const revealed = frame.events.find((event) => event.kind === "revealed");
    return {
      ...view,
      hands: seats.map((seat) =>
        handOf(view.known[seat], viewpoint === null || viewpoint === seat ? views[seat].hand : null)),
      centre: view.centre.map((number, slot) => {
        const seen = number !== FACE_DOWN;
        return { number: seen || viewpoint !== null ? number : down[slot], seen };
      }),
      up: view.shown.length ? [...before.up, revealed] : [],
    };
  },

  scenes(before, after, events) {
    const revealed = events.find((event) => event.kind === "revealed");
    if (!revealed) return [{ ...after, events }];
    const up = [...before.up, revealed];
    if (events.some((event) => event.kind === "taken")) {
      return [{ ...before, piles: after.piles, up, mark: "taken", events }];
    }
    return [{ ...after, up, mark: after.up.length ? "up" : "returned", events }];
  },

  draw(scene) {
    const turned = (place) => scene.up.filter((each) => each.place === place);
    const mark = scene.mark ?? "up";
    const slots = scene.centre.map((slot, number) => {
      const [up] = turned(`centre-${number}`);
      const empty = slot.number === EMPTY && !up;
      return el("div", { class: "slot" },
        empty ? piece("empty") : face(slot, up, mark), el("small", {}, number));
    });
    const hand = (seat) => {
      const low = turned(`low-${seat}`);
      const high = turned(`high-${seat}`).reverse();
      const cards = scene.hands[seat];
      return cards.map((each, at) => face(each, low[at] ?? high[at - cards.length + high.length], mark));
    };
    const trio = (number) =>
      labelled(`trio of ${number}s`, { class: "trio" },
        ...times(3, () => piece(number, "small")));
    const panels = seats.map((seat) => {
      const pile = scene.piles[sides[seat]];
      const score = [teamName(seat), count(pile.length, "trio")].filter(Boolean).join(" · ");
      return player(scene, seat, score,
        el("div", { class: "hand" }, ...(scene.hands[seat].length ? hand(seat) : [el("em", {}, "no cards")])),
        pile.length ? el("div", { class: "pile" }, ...pile.map(trio)) : null,
        this.partnerNote(scene, seat));
    });
    const centre = slots.length ? [zone("Centre", "centre", el("div", { class: "slots" }, ...slots))] : [];
    return [...centre, el("div", { class: "seats" }, ...panels)];
  },

  // What only this player knows of the partner's hand.
  partnerNote(scene, seat) {
    if (!inTeams() || scene.viewpoint === null) return null;
    if (seat === scene.viewpoint && scene.log.length) {
      const swaps = scene.log.map(([given, got]) => `${given} for ${got}`).join(", ");
      return el("p", { class: "note" }, `gave ${swaps} in swaps`);
    }
    if (seat === scene.viewpoint || sides[seat] !== sides[scene.viewpoint]) return null;
    const [cards] = scene.partner;
    return cards.length ? el("p", { class: "note" }, `partner: certainly holds ${cards.join(" ")}`) : null;
  },
};
