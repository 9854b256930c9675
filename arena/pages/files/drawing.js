// Shared by the drawings of all games, which any page can use: nothing here knows the rest of the page.
//
// A page calls `setPlayers` once, with the names, the sides, and what the game's pieces look like. The object `game` in the game's own file then turns views into
// positions (`table`), a decision into the scenes to show one after another (`scenes`), and a
// scene into elements (`draw`). A scene is a position with `viewpoint` (a seat, or null for all),
// `actor` and `next` (seats, or -1) and `faulted` (the endings of seats with a fault, by seat).
// `periods` names the round and the turn of a view (`turn` is the game's word for one).
// Texts become text nodes, never markup.

let names = [];
let sides = [];
let seats = [];
let pieces = {};
let viewerTag = "viewer";
function setPlayers({ names: newNames, sides: newSides, pieces: newPieces }, newViewerTag = "viewer") {
  names = newNames;
  sides = newSides;
  pieces = newPieces;
  viewerTag = newViewerTag;
  seats = names.map((_, seat) => seat);
}

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

// An event from its values; `fields` has their names for each kind of event.
const readEvent = (values, fields) =>
  Object.fromEntries(fields[values[0]].map((name, at) => [name, values[at]]));

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

// Partners have one colour and one mark.
const TEAM_MARKS = "▲■◆";
const inTeams = () => new Set(sides).size < seats.length;
const teamMark = (seat) => (inTeams() ? TEAM_MARKS[sides[seat]] : "");
const teamName = (seat) => (inTeams() ? `team ${sides[seat]} ${teamMark(seat)}` : "");

const chip = (seat) =>
  el("span", { class: "chip", "data-side": sides[seat] }, seat, el("span", { "aria-hidden": "true" }, teamMark(seat)));
const nameOf = (seat) => el("bdi", { class: "name", title: names[seat] }, names[seat]);
const labelled = (label, attributes, ...children) =>
  el("span", { ...attributes, role: "img", "aria-label": label }, ...children);
// A card, a token or a die, as `arena/games/*/picture.py` draws it; `note` is added to its label.
function piece(name, kind = "", note = "", ...more) {
  const [width, height, label, tip] = pieces[name];
  const text = [label, note].filter(Boolean).join(", ");
  const drawn = svg("svg", { viewBox: `0 0 ${width} ${height}`, width, height, "aria-hidden": "true" },
    svg("use", { href: `#piece-${String(name).replaceAll(" ", "-")}` }));
  return labelled(text, { class: `piece ${kind}`, title: tip ? `${text}: ${tip}` : text, "data-piece": name }, drawn, ...more);
}
const many = (number) => (number > 1 ? el("b", { class: "many" }, `×${number}`) : null);
const tag = (text, kind = "") => el("span", { class: `tag ${kind}` }, text);
const zone = (title, kind, ...children) =>
  el("section", { class: `zone ${kind}`, "aria-label": title }, el("h2", {}, title), ...children);

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
  const fault = scene.faulted?.[seat];
  const best = Math.max(...(scene.scores ?? []));
  const leads = scene.scores?.[seat] === best && scene.scores.some((each) => each < best);
  const won = scene.scores && scene.before ? scene.scores[seat] - scene.before[seat] : 0;
  const tags = [
    leads ? tag("leads", "leads") : null,
    scene.viewpoint === seat ? tag(viewerTag) : null,
    fault ? tag(`out: ${fault}`, "bad") : null,
    scene.next === seat ? tag("to act", "next") : null,
  ];
  const kind = `seat ${scene.actor === seat ? "acted" : ""} ${scene.next === seat ? "next" : ""}`;
  return el(
    "article",
    { class: kind, "data-seat": seat, "data-side": sides[seat], "aria-label": `${names[seat]}, seat ${seat}` },
    el("header", {}, chip(seat), nameOf(seat), ...tags, el("span", { class: "score" }, score,
      won && scene.gains ? el("small", { title: "in this round" }, ` ${won > 0 ? "+" : "−"}${Math.abs(won)}`) : null)),
    ...children,
  );
}

// A decision is one scene. At the end of a round it is several: the decision, its consequences, the next deal.
function scenesOf(before, after, frame, toAct, roundStart) {
  const made = before ? game.scenes(before, after, frame.events) : [{ ...after, events: frame.events }];
  return made.map((scene, part) => ({
    scores: frame.scores, before: roundStart, gains: game.gains, ...scene, part, actor: part ? -1 : frame.seat ?? -1, next: part === made.length - 1 ? toAct : -1,
  }));
}

// Whether everyone saw that a seat chose in this scene, but not what.
const isSecret = ({ part, events }, { seat }) =>
  part === 0 && seat !== undefined && (events[0]?.seat ?? -1) !== seat;
const secretSentence = ({ seat, secret }) => `${names[seat]} chooses in secret${secret ? `: ${secret}` : ""}.`;
