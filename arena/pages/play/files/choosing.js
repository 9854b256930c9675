// Shared by the choices of all games: each file `choose_*.js` defines `choose(choices, view, send)`,
// which returns the elements of "Your move", and `inWords(choice, view)`. A choice has the number of
// an action, its text and its parts.
// Cards that lie on the table are clicked there: `choose` calls `clickable` for them.

const ownSeat = () => byId("table").querySelector(`.seat[data-seat="${data.viewpoint}"]`);
const ownCards = (name = null) =>
  [...ownSeat().querySelectorAll(".hand .piece")].filter((each) => name === null || each.dataset.piece === String(name));

// Make a card on the table a button, or no longer one without `act`; `mark` is written on it.
function clickable(card, label, act, isPressed = null, mark = "") {
  if (!card) return;
  card.classList.toggle("playable", Boolean(act));
  for (const [name, value] of Object.entries({ role: act ? "button" : "img", "aria-label": label, "aria-pressed": act && isPressed, tabindex: act && 0 })) {
    if (value === null) card.removeAttribute(name);
    else card.setAttribute(name, value);
  }
  if (mark || card.querySelector(".laid")) {
    (card.querySelector(".laid") ?? card.appendChild(el("b", { class: "laid" }))).textContent = mark;
  }
  card.onclick = () => act && !card.getAttribute("aria-disabled") && act();
  card.onkeydown = (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    card.onclick();
  };
}

// Everything that can be clicked to decide.
const choosers = () => [...byId("choices").querySelectorAll("button"), ...byId("table").querySelectorAll(".playable")];
const hintLine = (text) => el("p", { class: "click" }, text);

function moveButton(label, act, ...content) {
  const shown = content.length ? { "aria-label": label } : {};
  const button = el("button", { type: "button", class: "move", ...shown }, ...(content.length ? content : [label]));
  button.addEventListener("click", act);
  return button;
}

const moveGroup = (title, ...buttons) =>
  el("fieldset", {}, el("legend", {}, title), el("div", { class: "moves" }, ...buttons));

// Choose in several clicks: `draw(redraw)` returns the elements for what is chosen so far.
function inSteps(draw) {
  const box = el("div", { class: "steps" });
  const redraw = () => {
    // The button that was clicked is replaced: keep the focus where it was.
    const buttons = () => [...box.querySelectorAll("button")];
    const focused = buttons().indexOf(document.activeElement);
    box.replaceChildren(...draw(redraw));
    if (focused >= 0) buttons()[Math.min(focused, buttons().length - 1)]?.focus();
  };
  redraw();
  return [box];
}

// The button that plays what was chosen; without an action it says what is missing.
function playButton(label, action, send) {
  const button = moveButton(label, () => send(action));
  button.classList.add("main");
  button.disabled = action === undefined;
  return button;
}
