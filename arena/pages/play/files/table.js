// Shows the table as it changes, and "Your move".

const data = JSON.parse(document.getElementById("data").textContent);
setPlayers(data, "you");
const byId = (id) => document.getElementById(id);

const shown = { match: 0, frames: [], scenes: [], at: -1, timer: null };
// What the last update said beside the frames.
let now = { turn: null, notice: "", result: null, closed: "" };
let turnShown = null;
// Whether the last decision was made by a card or a button that had the focus.
let wasChosenHere = false;

function restart(match) {
  clearTimeout(shown.timer);
  Object.assign(shown, { match, frames: [], scenes: [], at: -1, timer: null });
  turnShown = null;
  byId("outcome").hidden = true;
  for (const id of ["log", "said", "choices"]) byId(id).replaceChildren();
}

function addFrame({ view, events, ...rest }) {
  const last = shown.frames.at(-1);
  const frame = { ...rest, view: { ...last?.view, ...view }, events: events.map((event) => readEvent(event, data.event_fields)) };
  const views = seats.map((seat) => (seat === data.viewpoint ? frame.view : {}));
  frame.position = game.table(views, [], data.viewpoint, last?.position, frame);
  const scenes = scenesOf(last?.position, frame.position, frame, frame.view.to_act, shown.roundStart ?? frame.scores);
  if (!last || frame.events.some((event) => event.kind === "round")) shown.roundStart = frame.scores;
  shown.scenes.push(...scenes.map((scene) => ({ ...scene, viewpoint: data.viewpoint, frame })));
  shown.frames.push(frame);
}

function sentencesOf(scene) {
  const secret = isSecret(scene, scene.frame) ? [secretSentence(scene.frame)] : [];
  return [...secret, ...scene.events.map((event) => event.sentence)];
}

// Add the sentences of a scene to the log, and to those since the last move of this seat.
function tell(scene) {
  const text = sentencesOf(scene).join("\n");
  if (scene.actor === data.viewpoint) byId("said").replaceChildren();
  if (!text) return;
  const side = scene.actor < 0 ? null : sides[scene.actor];
  byId("log").append(el("li", { "data-seat": scene.actor, "data-side": side }, text));
  byId("said").append(el("p", { "data-seat": scene.actor, "data-side": side }, text));
  for (const id of ["log", "said"]) byId(id).scrollTop = byId(id).scrollHeight;
}

function show(number) {
  for (; shown.at < number; shown.at += 1) tell(shown.scenes[shown.at + 1]);
  const before = placesOfCards();
  byId("table").replaceChildren(...game.draw(shown.scenes[shown.at]));
  ownSeat()?.classList.add("mine");
  travel(before);
}

// Where each card lies of which there is just one.
function placesOfCards() {
  const places = new Map();
  for (const card of byId("table").querySelectorAll(".piece")) {
    const name = card.dataset.piece;
    places.set(name, places.has(name) ? null : card);
  }
  return new Map([...places].filter(([, card]) => card).map(([name, card]) => [name, card.getBoundingClientRect()]));
}

// Let a card that has moved travel from where it was, unless the reader wants less motion.
function travel(before) {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches || byId("pace").value === "0") return;
  for (const card of byId("table").querySelectorAll(".piece")) {
    const was = before.get(card.dataset.piece);
    const now = card.getBoundingClientRect();
    if (!was || Math.hypot(was.x - now.x, was.y - now.y) < 40) continue;
    card.animate(
      [{ transform: `translate(${was.x - now.x}px, ${was.y - now.y}px)`, zIndex: 3 }, { transform: "none", zIndex: 3 }],
      { duration: 350, easing: "ease-out" });
  }
}

// Show the scenes that have not been seen, one after another, then what there is to decide.
function advance() {
  const last = shown.scenes.length - 1;
  if (shown.timer !== null) return;
  if (last < 0) {
    showState();
    return;
  }
  const pace = Number(byId("pace").value);
  // A page that was just opened shows the present position.
  // A table that is drawn already keeps its cards that can be clicked.
  if (shown.at < last) show(shown.at < 0 || pace === 0 || document.hidden ? last : shown.at + 1);
  showState();
  if (shown.at < last) {
    shown.timer = setTimeout(() => {
      shown.timer = null;
      advance();
    }, pace);
  }
}

function stateText() {
  if (now.closed) return now.closed;
  if (!shown.scenes.length) return "The match is about to begin.";
  if (shown.at < shown.scenes.length - 1) return "";
  if (now.result) return overText(now.result, data.viewpoint);
  if (now.turn) return "It is your turn.";
  const next = shown.frames.at(-1).view.to_act;
  return next < 0 ? "The match is over." : next === data.viewpoint ? "" : `${names[next]} is to move.`;
}

function showState() {
  const isCurrent = shown.at === shown.scenes.length - 1;
  const text = [stateText(), now.notice].filter(Boolean).join(" ");
  if (byId("moment").textContent !== text) byId("moment").textContent = text;
  const turn = isCurrent && !now.closed ? now.turn : null;
  document.title = `${turn ? "Your turn: " : ""}${data.title}`;
  showTurn(turn);
  if (isCurrent && now.result) showResult(now.result);
}

function showTurn(turn) {
  if (turn?.number === turnShown) return;
  const hadFocus = wasChosenHere || byId("move").contains(document.activeElement);
  turnShown = turn?.number ?? null;
  byId("move").hidden = !turn;
  byId("hint").hidden = !turn || data.clock !== "";
  byId("advice").textContent = "";
  byId("refusal").textContent = "";
  startClock(turn?.left_s ?? null);
  if (!turn) {
    byId("choices").replaceChildren();
    if (hadFocus) byId("said").focus();
    return;
  }
  byId("choices").replaceChildren(...choose(turn.choices, shown.frames.at(-1).view, (action) => send(turn.number, action)));
  // Whoever uses the keyboard continues where they were.
  const isHere = hadFocus || document.activeElement === byId("said");
  if (isHere) (byId("table").querySelector(".playable") ?? byId("move-title")).focus();
  wasChosenHere = false;
}

const clock = { timer: null };
function startClock(leftS) {
  clearInterval(clock.timer);
  byId("clock").hidden = leftS === null;
  if (leftS === null) return;
  const end = performance.now() + 1000 * leftS;
  const tick = () => {
    const left = Math.max(0, Math.ceil((end - performance.now()) / 1000));
    byId("clock").textContent = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
    byId("clock").classList.toggle("low", left < 10);
  };
  tick();
  clock.timer = setInterval(tick, 250);
}

function showResult(result) {
  if (!byId("outcome").hidden) return;
  byId("outcome").hidden = false;
  byId("result").replaceChildren(
    ...placeRows(result, (seat) => [nameOf(seat), seat === data.viewpoint ? tag("you") : null]));
  byId("breakdown").replaceChildren(...scoreRows(result, "seat", chip));
  byId("explanation").textContent = result.explanation.sentence;
  const { saved, command } = result;
  const link = el("a", { href: "replay", target: "_blank" }, "See the whole match with all cards");
  const again = moveButton("Play again", () => post("again", {}));
  again.classList.add("main");
  byId("afterwards").replaceChildren(
    el("p", {}, again),
    el("p", {}, link, " while the table is open, ",
      el("a", { href: "analysis", target: "_blank" }, "with mistakes"), " (takes some seconds), or ",
      el("a", { href: "save", download: "match.replay" }, "save the replay"), "."),
    el("p", {}, saved ? `The replay is in ${saved} on the machine that runs the table.` : "The replay was not saved: --save keeps it."),
    el("p", {}, "To play again: ", el("code", {}, command)));
}
