// Choose the animals of Life is Life to lay down: as many as the row has that one takes.

function choose(choices, view, send) {
  const { hand_herd: hand, row_herds: rows } = view;
  const actions = new Map(choices.map(({ action, text }) => [text, action]));
  const kinds = ANIMALS.filter((name) => hand.includes(name));
  const laid = Object.fromEntries(kinds.map((name) => [name, 0]));
  const total = () => kinds.reduce((sum, name) => sum + laid[name], 0);
  const isLast = view.knocker >= 0;
  const knock = actions.has("knock")
    ? [moveButton(isLast ? "Knock: let the turn pass" : "Knock: announce the last lap", () => send(actions.get("knock")))]
    : [];
  return inSteps((redraw) => {
    const buttons = kinds.map((name) => {
      const many = hand.filter((each) => each === name).length;
      const act = () => {
        const isFull = laid[name] === many || total() === rows.length;
        laid[name] = isFull ? 0 : laid[name] + 1;
        redraw();
      };
      const label = `${name}, ${laid[name]} of ${many} chosen`;
      return toggleButton(label, laid[name] > 0, act, animal(view, name, "", many), el("small", {}, laid[name] ? `lay ${laid[name]}` : "–"));
    });
    const cards = kinds.flatMap((name) => times(laid[name], () => name));
    const row = rows[cards.length - 1];
    const action = actions.get([cards.length, ...cards].join(" "));
    const label = !cards.length ? `Choose one to ${rows.length} animals`
      : action === undefined ? `Row ${cards.length} has the same cards`
      : `Lay ${cards.join(", ")} and take row ${cards.length}: ${row.join(", ")}`;
    return [
      moveGroup("Swap: choose animals to lay down; their number is the row that you take", ...buttons),
      el("div", { class: "moves" }, playButton(label, action, send), ...knock),
    ];
  });
}
