// Draws a table of Jackal & High.

const goalOf = (name) => (name === "Lucky8" ? 8 : Number(name));
const sum = (faces) => faces.reduce((total, face) => total + face, 0);

// The seat's number stands once before its dice: colour alone does not tell whose they are.
const die = (face, seat) =>
  el("span", { class: "die", "data-side": sides[seat] }, piece(face ? `die ${face}` : "die", "", `of seat ${seat}`));
const dice = (faces, seat) => [chip(seat), ...faces.map((face) => die(face, seat))];

const small = (name, kind = "") => piece(name, `small ${kind}`);

// Add dice to those on each stack; dice of stack 0 are kept in the hand.
const withPlaced = (laid, { faces, stacks }) =>
  ({ ...laid, on: laid.on.map((there, at) => [...there, ...faces.filter((_, die) => stacks[die] === at + 1)]) });

const game = {
  turn: "turn",
  periods: (view) => ({ round: view.round, turn: `${view.round} ${view.turn} ${view.to_act}` }),

  legend: () => "Dice must match the number of their card exactly; ✓ marks the ones that do. The round number before dice is their seat.",

  table(views, down, viewpoint) {
    const view = views[viewpoint ?? 0];
    const empty = view.cards.map(() => []);
    return {
      ...view,
      laid: view.laid.map(([stacks, faces, valley]) => withPlaced({ on: empty, valley }, { stacks, faces })),
      deck: viewpoint === null ? down : view.unseen,
    };
  },

  // The end of a round is shown in three scenes: the last dice, the settling, the new round.
  scenes(before, after, events) {
    const [decided, rest] = splitBefore(events, "collected", "round", "ended", "contest", "taken", "paid");
    const [settled, newRound] = splitBefore(rest, "round", "ended");
    if (!rest.length) return [{ ...after, events }];
    const noRoll = { rolled: [], rolls_left: 0 };
    const placed = decided.find((event) => event.kind === "placed");
    const lost = decided.find((event) => event.kind === "lost");
    const laid = before.laid.map((each, seat) => {
      if (placed?.seat === seat) return withPlaced(each, { ...placed, faces: placed.dice });
      return lost?.seat === seat ? { ...each, valley: each.valley + 1 } : each;
    });
    const isOrdered = decided.some((event) => event.kind === "ordered");
    // One of the ordered cards may end up in the valley, but it goes to the pile first.
    const { piles, spoils } = isOrdered ? this.addOrdered(before, decided[0]) : before;
    const last = { ...before, ...noRoll, laid, piles, spoils, events: decided };
    const scenes = [last];
    if (settled.length) scenes.push(this.settle(last, after, settled));
    if (newRound.length) scenes.push({ ...after, events: newRound });
    return scenes;
  },

  addOrdered({ piles, spoils }, { seat, cards }) {
    return { piles: piles.with(seat, [...piles[seat], ...cards]), spoils: spoils.with(seat, []) };
  },

  settle(last, after, events) {
    const of = (kind) => events.filter((event) => event.kind === kind);
    const isMet = (faces, stack) => faces.length && sum(faces) === goalOf(last.cards[stack]);
    const [collected] = of("collected");
    const laid = last.laid.map((each, seat) => ({
      on: each.on.map((faces, stack) => (isMet(faces, stack) ? faces : [])),
      valley: collected ? collected.valley[seat] : each.valley,
    }));
    const { piles, take2s, spoils, valley } = after;
    const [[taken], [paid]] = [of("taken"), of("paid")];
    const winners = Object.fromEntries(of("won").map((won) => [won.stack - 1, won]));
    const rolls = { duels: of("duel"), contests: of("contest") };
    return { ...last, ...rolls, laid, piles, take2s, spoils, valley, winners, taken, paid, events };
  },

  draw(scene) {
    const stacks = scene.cards.map((name, stack) => this.stack(scene, name, stack));
    const panels = seats.map((seat) => this.panel(scene, seat));
    const removed = scene.gone ? `; ${scene.gone} Lucky8 removed` : "";
    const order = scene.viewpoint === null ? "The next card comes first." : "Sorted: the real order is unknown.";
    const title = `Round ${scene.round + 1}, turn ${scene.turn + 1} of ${scene.parameters.dice || 3}`;
    return [
      zone(title, "display", el("div", { class: "stacks" }, ...stacks, this.valley(scene))),
      el("div", { class: "seats" }, ...panels),
      fold(`The deck has ${count(scene.deck.length, "card")}${removed}`, "deck",
        el("p", { class: "note" }, order),
        el("div", { class: "hand" }, ...scene.deck.map((name) => small(name)))),
    ];
  },

  stack(scene, name, stack) {
    const lines = seats
      .filter((seat) => scene.laid[seat].on[stack]?.length)
      .map((seat) => {
        const faces = scene.laid[seat].on[stack];
        const met = sum(faces) === goalOf(name);
        const total = faces.length > 1 || met ? `= ${sum(faces)}${met ? " ✓" : ""}` : "";
        return el("div", { class: `dice ${met ? "met" : ""}` }, ...dice(faces, seat), el("small", {}, total));
      });
    const duels = (scene.duels ?? [])
      .filter((duel) => duel.stack === stack + 1)
      .map((duel) => this.roll(duel, "duel"));
    const won = scene.winners?.[stack];
    const winner = won ? this.outcome(won, won.lucky ? "with the Lucky8" : "wins it") : null;
    const below = scene.under[stack];
    return el("div", { class: `stack ${won ? "claimed" : ""}` },
      el("small", { class: "number" }, `stack ${stack + 1}`),
      piece(name),
      below ? tag(below === 1 ? "+ Take2" : `+ ${below} Take2`, "take2") : null,
      ...lines, ...duels, winner);
  },

  outcome: (event, what) => el("p", { class: "won" }, chip(event.seat), what),

  roll({ dice: faces, seat }, what) {
    return el("div", { class: "dice rolled" }, el("small", {}, what), ...dice(faces, seat),
      faces.length > 1 ? el("small", {}, `= ${sum(faces)}`) : null);
  },

  valley(scene) {
    const there = seats
      .filter((seat) => scene.laid[seat].valley)
      .map((seat) => el("div", { class: "dice" }, ...dice(times(scene.laid[seat].valley, () => ""), seat)));
    const rolls = (scene.contests ?? []).map((event) =>
      this.roll(event, event.question === "both" ? "" : event.question));
    const outcome = (event, some, none) =>
      event ? this.outcome(event, event.card === "none" ? none : `${some} ${event.card}`) : null;
    return el("div", { class: "stack valley" },
      el("small", { class: "number" }, "vulture valley"),
      piece(scene.valley),
      el("div", { class: "rolls" }, ...(rolls.length ? rolls : there)),
      outcome(scene.taken, "takes", "is highest"),
      outcome(scene.paid, "pays", "has no card"));
  },

  // After the turns of a round, no player has dice in hand.
  hand(scene, seat) {
    const laid = sum(scene.laid[seat].on.map((faces) => faces.length)) + scene.laid[seat].valley;
    const all = scene.parameters.dice || 3;
    const more = scene.rolls_left ? `rolled, ${count(scene.rolls_left, "more roll")} left` : "rolled";
    const held = scene.to_act === seat
      ? [...scene.rolled.map((face) => die(face, seat)), el("small", {}, more)]
      : [...times(all - laid, () => die("", seat)), el("small", {}, laid < all ? "in hand" : "no dice in hand")];
    return el("div", { class: "dice" }, ...held);
  },

  panel(scene, seat) {
    const pile = scene.piles[seat];
    const spoils = scene.spoils[seat];
    return player(scene, seat, count(scene.scores[seat], "paw"),
      scene.rolled.length ? this.hand(scene, seat) : null,
      spoils.length
        ? el("div", { class: "pile won-cards" }, el("small", {}, "won, to be ordered"),
          ...spoils.map((name) => small(name, "up")))
        : null,
      el("div", { class: "pile" },
        pile.length ? el("small", {}, "pile") : el("em", {}, "no cards on the pile"),
        ...pile.map((name, at) => small(name, at === pile.length - 1 ? "top" : "")),
        pile.length ? el("small", {}, "top") : null,
        ...times(scene.take2s[seat], () => small("Take2"))));
  },
};
