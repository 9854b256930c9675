// Choose the animals of Life is Life to lay down: as many as the row has that one takes.

const inWords = ({ is_knock: isKnock, cards }) =>
  isKnock ? "knock" : `lay ${cards.join(", ")} and take row ${cards.length}`;

function choose(choices, view, send) {
  const { hand_herd: hand, row_herds: rows } = view;
  const knocking = choices.find(({ is_knock }) => is_knock);
  const kinds = ANIMALS.filter((name) => hand.includes(name));
  const laid = Object.fromEntries(kinds.map((name) => [name, 0]));
  const total = () => kinds.reduce((sum, name) => sum + laid[name], 0);
  const isLast = view.knocker >= 0;
  const knock = knocking
    ? [moveButton(isLast ? "Knock: let the turn pass" : "Knock: announce the last lap", () => send(knocking.action))]
    : [];
  return inSteps((redraw) => {
    for (const name of kinds) {
      const number = hand.filter((each) => each === name).length;
      const [card] = ownCards(name);
      clickable(card, `${name}, ${laid[name]} of ${number} chosen`, () => {
        const isFull = laid[name] === number || total() === rows.length;
        laid[name] = isFull ? 0 : laid[name] + 1;
        redraw();
      }, laid[name] > 0, laid[name] ? `lay ${laid[name]}` : "");
    }
    const cards = kinds.flatMap((name) => times(laid[name], () => name));
    const row = rows[cards.length - 1];
    const action = choices.find((each) => !each.is_knock && each.cards.join() === cards.join())?.action;
    const label = !cards.length ? `Choose one to ${rows.length} animals`
      : action === undefined ? `Row ${cards.length} has the same cards`
      : `Lay ${cards.join(", ")} and take row ${cards.length}: ${row.join(", ")}`;
    return [
      hintLine("Swap: click animals in your hand to lay them down; their number is the row that you take."),
      el("div", { class: "moves" }, playButton(label, action, send), ...knock),
    ];
  });
}
