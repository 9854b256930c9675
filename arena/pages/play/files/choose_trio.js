// Choose a card to turn up in Trio, or what to give in a swap: click it on the table.

const inWords = ({ kind, slot, seat, number }) => {
  if (kind === "centre") return `slot ${slot} of the centre`;
  return { give: `give ${number}`, keep: "keep all" }[kind] ?? `the ${kind}est card of ${seat === data.viewpoint ? "your own hand" : names[seat]}`;
};

function choose(choices, view, send) {
  const slots = byId("table").querySelectorAll(".slot .piece");
  const ends = { low: 0, high: -1 };
  for (const { action, kind, slot, seat } of choices) {
    if (kind === "centre") {
      const isSeen = view.centre[slot] !== FACE_DOWN;
      clickable(slots[slot], `slot ${slot}${isSeen ? `, which is ${view.centre[slot]}` : ""}`, () => send(action));
    } else if (kind in ends) {
      const hand = [...byId("table").querySelectorAll(`.seat[data-seat="${seat}"] .hand .piece:not(.up)`)];
      clickable(hand.at(ends[kind]), inWords({ kind, seat }), () => send(action));
    }
  }
  const swaps = choices.filter(({ kind }) => ["give", "keep"].includes(kind));
  if (!swaps.length) return [hintLine("Click a card of the centre, or the first or the last card of any hand.")];
  for (const { action, kind, number } of swaps) {
    if (kind === "give") clickable(ownCards(number)[0], `give ${number}`, () => send(action));
  }
  const keep = swaps.find(({ kind }) => kind === "keep");
  return [hintLine("Click a card of your hand to give it to your partner."), moveButton("Keep all: do not swap", () => send(keep.action))];
}
