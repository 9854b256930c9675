// Choose a card of MEOW: click it in the hand.

const inWords = ({ text }) => text;

function choose(choices, view, send) {
  const mustFollow = choices.length < view.hand_mask.length;
  for (const { action, text, colour, rank } of choices) {
    clickable(ownCards(text)[0], `${colour} ${rank}`, () => send(action));
  }
  return [hintLine(mustFollow ? "Click a card of the led colour in your hand." : "Click a card in your hand.")];
}
