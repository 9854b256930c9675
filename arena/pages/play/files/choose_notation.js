// Choose an action of a game that another package brings, by its text.

const inWords = ({ text }) => text;

function choose(choices, view, send) {
  return [moveGroup("Choose", ...choices.map(({ action, text }) => moveButton(text, () => send(action), text)))];
}
