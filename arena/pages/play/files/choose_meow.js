// Choose a card of MEOW.

function choose(choices, view, send) {
  const mustFollow = choices.length < view.hand_mask.length;
  const title = mustFollow ? "Play a card of the led colour" : "Play a card";
  const buttons = choices.map(({ action, text }) =>
    moveButton(`${COLOURS[text[0]]} ${text.slice(1)}`, () => send(action), kitten(text, "big")));
  return [moveGroup(title, ...buttons)];
}
