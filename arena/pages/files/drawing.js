// Shared by the drawings of all games. Texts become text nodes, never markup.

const data = JSON.parse(document.getElementById("data").textContent);
const seats = data.names.map((_, seat) => seat);

function make(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined && value !== false) node.setAttribute(name, value);
  }
  const kept = children.flat(2).filter((child) => child !== null && child !== undefined);
  node.append(...kept.map((child) => (child instanceof Node ? child : String(child))));
  return node;
}
const el = (tag, attributes = {}, ...children) =>
  make(document.createElement(tag), attributes, children);
const svg = (tag, attributes = {}, ...children) =>
  make(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);

// The notation of views and events: a dash is an empty list, a pair is name=value.
const words = (text, separator = " ") => (text === "-" ? [] : text.split(separator));
const numbers = (text, separator = " ") => words(text, separator).map(Number);
const groups = (text) => text.split(" | ");
const pairs = (text) =>
  Object.fromEntries(words(text).map((word) => [word.split("=")[0], word.split("=").slice(1).join("=")]));

const count = (number, word, plural = `${word}s`) => `${number} ${number === 1 ? word : plural}`;
const times = (number, thing) => Array.from({ length: number }, thing);
const without = (cards, card) => {
  const at = cards.indexOf(card);
  return at < 0 ? cards : cards.toSpliced(at, 1);
};
// Split events before the first one of these kinds.
const splitBefore = (events, ...kinds) => {
  const at = events.findIndex((event) => kinds.includes(event.kind));
  return at < 0 ? [events, []] : [events.slice(0, at), events.slice(at)];
};

const chip = (seat) => el("span", { class: "chip", "data-seat": seat }, seat);
const nameOf = (seat) => el("bdi", { class: "name", title: data.names[seat] }, data.names[seat]);
const card = (face, kind = "") => el("span", { class: `card ${kind}` }, face);
const back = (kind = "") => el("span", { class: `card back ${kind}`, role: "img", "aria-label": "face down" });
const tag = (text, kind = "") => el("span", { class: `tag ${kind}` }, text);
const zone = (title, kind, ...children) =>
  el("section", { class: `zone ${kind}` }, el("h3", {}, title), ...children);

// A collapsible part that keeps its state from step to step.
const openFolds = new Set();
function fold(title, key, ...children) {
  const details = el("details", {}, el("summary", {}, title), ...children);
  details.open = openFolds.has(key);
  details.addEventListener("toggle", () => (details.open ? openFolds.add(key) : openFolds.delete(key)));
  return details;
}

// One player: name, role in this step, score, and the cards in front of it.
function player(scene, seat, score, ...children) {
  const isKnown = scene.viewpoint === null || scene.viewpoint === seat;
  const fault = isKnown && data.faults.find((each) => each.seat === seat && scene.frame > each.decision);
  const tags = [
    scene.viewpoint === seat ? tag("viewer") : null,
    fault ? tag(`out: ${fault.ending}`, "bad") : null,
    scene.next === seat ? tag("to act", "next") : null,
  ];
  const kind = `seat ${scene.actor === seat ? "acted" : ""} ${scene.next === seat ? "next" : ""}`;
  return el(
    "article",
    { class: kind, "data-seat": seat },
    el("header", {}, chip(seat), nameOf(seat), ...tags, el("span", { class: "score" }, score)),
    ...children,
  );
}
