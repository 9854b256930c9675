// Steps through a match.

const byId = (id) => document.getElementById(id);

// All frames with complete views, assembled from the changes in each frame.
function unpack() {
  const views = seats.map(() => ({}));
  let down = [];
  return data.frames.map((frame) => {
    down = frame.down ?? down;
    for (const seat of seats) {
      views[seat] = { ...views[seat], ...frame.all, ...(frame.own ?? {})[seat] };
    }
    const events = (frame.events ?? []).map((event) => {
      const [text, sentence] = data.events[event];
      const [kind, ...rest] = text.split(" ");
      return { ...pairs(rest.join(" ") || "-"), kind, sentence };
    });
    return { ...frame, views: [...views], down, events };
  });
}
const frames = unpack();

// A decision is one scene. At the end of a round it is several: the decision, its consequences, the next deal.
function scenesFor(viewpoint) {
  const scenes = [];
  let before = null;
  frames.forEach((frame, number) => {
    const after = game.table(frame.views, frame.down, viewpoint, before, frame);
    const shown = before ? game.scenes(before, after, frame.events) : [{ ...after, events: frame.events }];
    shown.forEach((scene, part) => {
      const last = part === shown.length - 1;
      const next = last ? Number(frame.views[viewpoint ?? 0].to_act) : -1;
      scenes.push({ ...scene, frame: number, part, viewpoint, next, actor: part ? -1 : frame.seat ?? -1 });
    });
    before = after;
  });
  return scenes;
}

let viewpoint = data.viewpoint;
let scenes = scenesFor(viewpoint);
let at = 0;
let timer = null;
const firstScene = frames.map((_, number) => scenes.findIndex((scene) => scene.frame === number));

function duration(us) {
  if (us < 1e3) return `${us} µs`;
  return us < 1e6 ? `${(us / 1e3).toFixed(1)} ms` : `${(us / 1e6).toFixed(1)} s`;
}

function noteOf(frame) {
  if (frame.how === "forced") return "forced: the only legal action";
  if (frame.how === "stand-in") return "chosen at random by a stand-in";
  return frame.us === undefined ? "" : `thought for ${duration(frame.us)}`;
}

const faultAt = (number) => data.faults.find((fault) => fault.decision === number - 1);
const mayKnow = (seat) => viewpoint === null || viewpoint === seat;

function sentencesOf(scene) {
  const frame = frames[scene.frame];
  const lines = [];
  if (scene.part === 0 && scene.frame > 0) {
    const fault = faultAt(scene.frame);
    if (fault && mayKnow(fault.seat)) {
      const who = data.names[fault.seat];
      lines.push([`${who} faulted (${fault.ending}): ${fault.sentence}. A stand-in plays on.`, "bad"]);
    }
    const actor = scene.events[0]?.seat;
    if (actor === undefined || Number(actor) !== frame.seat) {
      const what = frame.secret && mayKnow(frame.seat) ? `: ${frame.secret}` : "";
      lines.push([`${data.names[frame.seat]} chooses in secret${what}.`, ""]);
    }
  }
  return [...lines, ...scene.events.map((event) => [event.sentence, ""])];
}

function showMoment(scene) {
  const frame = frames[scene.frame];
  const moment = byId("moment");
  if (scene.frame === 0) {
    moment.replaceChildren(el("strong", {}, "The deal"));
  } else {
    const note = mayKnow(frame.seat) ? noteOf(frame) : "";
    moment.replaceChildren(
      el("strong", {}, `Decision ${scene.frame - 1} (${scene.frame} of ${frames.length - 1})`),
      chip(frame.seat),
      nameOf(frame.seat),
      el("span", { class: "note" }, scene.part ? "consequences" : note),
    );
  }
  byId("said").setAttribute("aria-live", timer === null ? "polite" : "off");
  const lines = sentencesOf(scene).map(([text, kind]) => el("p", { class: kind }, text));
  if (at === scenes.length - 1) lines.push(el("p", { class: "over" }, overText()));
  byId("said").replaceChildren(...lines);
  byId("said").classList.toggle("long", byId("said").textContent.length > 240);
}

function showPrinted(scene) {
  const frame = frames[scene.frame];
  const printed = byId("printed");
  printed.hidden = scene.part > 0 || !frame.printed || !mayKnow(frame.seat);
  printed.textContent = printed.hidden ? "" : frame.printed;
  if (!printed.hidden) printed.setAttribute("aria-label", `Printed by ${data.names[frame.seat]}`);
}

function overText() {
  const winners = seats.filter((seat) => data.places[seat] === 1).map((seat) => data.names[seat]);
  const cap = data.ending === "length cap" ? "The length cap ends the match: " : "The match is over: ";
  return `${cap}${winners.join(" and ")} ${winners.length === 1 ? "wins" : "share first place"}.`;
}

function show(number) {
  at = Math.max(0, Math.min(scenes.length - 1, number));
  const scene = scenes[at];
  showMoment(scene);
  showPrinted(scene);
  byId("table").replaceChildren(...game.draw(scene));
  byId("slider").value = at;
  byId("slider").setAttribute("aria-valuetext", `step ${at} of ${scenes.length - 1}`);
  byId("count").textContent = `${at} / ${scenes.length - 1}`;
  markStrip(scene.frame);
  const log = byId("log");
  log.querySelector("[aria-current]")?.removeAttribute("aria-current");
  const line = log.children[at];
  line.setAttribute("aria-current", "step");
  log.scrollTop = line.offsetTop - log.clientHeight / 2;
  for (const id of ["first", "back"]) byId(id).disabled = at === 0;
  for (const id of ["forward", "last"]) byId(id).disabled = at === scenes.length - 1;
}

function play(on) {
  clearInterval(timer);
  timer = on ? setInterval(advance, Number(byId("speed").value)) : null;
  byId("play").setAttribute("aria-label", on ? "Pause" : "Play");
  document.body.classList.toggle("playing", on);
}

function advance() {
  if (at === scenes.length - 1) play(false);
  else show(at + 1);
}

function toggle() {
  if (timer === null && at === scenes.length - 1) show(0);
  play(timer === null);
}

function nextFault() {
  const known = data.faults.filter((fault) => mayKnow(fault.seat));
  const positions = known.map((fault) => firstScene[fault.decision + 1]).sort((a, b) => a - b);
  if (positions.length) show(positions.find((position) => position > at) ?? positions[0]);
}

function setViewpoint(seat) {
  viewpoint = seat;
  scenes = scenesFor(viewpoint);
  drawStrip();
  drawLog();
  drawFaults();
  byId("legend").textContent = game.legend(viewpoint);
  byId("seed").textContent = viewpoint === null ? `seed ${data.seed}` : "";
  for (const button of byId("viewpoint").children) {
    button.setAttribute("aria-pressed", button.dataset.viewpoint === String(viewpoint ?? "all"));
  }
  show(at);
}

function drawHeader() {
  byId("title").textContent = data.title;
  const cages = { none: "played without a cage", landlock: "played in a weaker cage" };
  const clock = data.clock && `clock ${data.clock}`;
  const about = [count(seats.length, "player"), ...data.settings, clock, cages[data.cage]];
  byId("about").textContent = about.filter(Boolean).join(" · ");
  byId("viewpoint").append(data.viewpoint === null ? "Show" : "What this player saw:");
  for (const seat of data.viewpoint === null ? [null, ...seats] : [data.viewpoint]) {
    const what = seat === null ? ["everything"] : [chip(seat), nameOf(seat)];
    const label = seat === null ? "Show everything" : `Show what ${data.names[seat]} saw`;
    const button = el("button", { "aria-label": label, "data-viewpoint": seat ?? "all" }, ...what);
    button.addEventListener("click", () => setViewpoint(seat));
    byId("viewpoint").append(button);
  }
}

function drawResult() {
  const order = [...seats].sort((a, b) => data.places[a] - data.places[b] || a - b);
  const head = ["place", "player", data.score_word].map((word) => el("th", { scope: "col" }, word));
  const rows = order.map((seat) => {
    const ending = data.endings[seat] === "played" ? null : tag(data.endings[seat], "bad");
    const version = data.versions[seat] && el("span", { class: "version" }, data.versions[seat]);
    return el(
      "tr",
      { "data-seat": seat },
      el("td", { class: "place" }, data.places[seat]),
      el("td", {}, el("div", { class: "who" }, chip(seat), nameOf(seat), version || null, ending)),
      el("td", { class: "points" }, data.scores[seat]),
    );
  });
  byId("result").replaceChildren(el("thead", {}, el("tr", {}, ...head)), el("tbody", {}, ...rows));
}

function drawFaults() {
  const visible = data.faults.filter((fault) => mayKnow(fault.seat));
  byId("fault").hidden = !visible.length;
  byId("faults").replaceChildren(
    ...visible.map((fault) => {
      const jump = el("button", { class: "wide" }, `Go to decision ${fault.decision}`);
      jump.addEventListener("click", () => show(firstScene[fault.decision + 1]));
      const printed = el("pre", { tabindex: 0, "aria-label": "stderr" }, fault.stderr || "(nothing)");
      return el(
        "div",
        { class: "fault" },
        el("p", {}, chip(fault.seat), nameOf(fault.seat), tag(fault.ending, "bad")),
        el("p", {}, `${fault.sentence}.`),
        jump,
        el("details", {}, el("summary", {}, "Output on stderr"), printed),
      );
    }),
  );
}

function drawLog() {
  byId("log").replaceChildren(
    ...scenes.map((scene, number) => {
      const text = sentencesOf(scene).map(([line]) => line).join("\n") || "The match begins.";
      const line = el("li", { "data-seat": scene.actor }, text);
      line.addEventListener("click", () => show(number));
      return line;
    }),
  );
}

// Thinking times range from microseconds to seconds, so the scale is logarithmic.
const STRIP = 40;
const strip = { marker: null };

function drawStrip() {
  const known = frames.slice(1).filter((frame) => frame.us !== undefined && mayKnow(frame.seat));
  const most = Math.max(100, ...known.map((frame) => frame.us));
  const height = (us) => 3 + (STRIP - 3) * Math.min(1, Math.log1p(us / 10) / Math.log1p(most / 10));
  const bars = frames.slice(1).map((frame, number) => {
    const fault = faultAt(number + 1);
    const isFault = fault && mayKnow(fault.seat);
    const isKnown = frame.us !== undefined && mayKnow(frame.seat);
    const size = isFault ? STRIP : isKnown ? height(frame.us) : 2;
    const kind = isFault ? "fault" : isKnown ? "" : "none";
    const box = { x: number + 0.08, y: STRIP - size, width: 0.84, height: size };
    return svg("rect", { ...box, class: kind, "data-seat": frame.seat });
  });
  strip.marker = svg("rect", { class: "marker", x: -1, y: 0, width: 1, height: STRIP });
  const picture = byId("strip");
  picture.setAttribute("viewBox", `0 0 ${Math.max(1, frames.length - 1)} ${STRIP}`);
  picture.setAttribute("aria-label", `Thinking time of each decision, at most ${duration(most)}`);
  picture.replaceChildren(strip.marker, ...bars);
  const longest = known.length ? `, at most ${duration(most)}` : "";
  byId("scale").textContent = `thinking time of each decision${longest} (logarithmic)`;
}

const markStrip = (number) => strip.marker.setAttribute("x", number - 1);

function onStrip(event) {
  const box = byId("strip").getBoundingClientRect();
  const share = (event.clientX - box.left) / box.width;
  const number = 1 + Math.floor(share * (frames.length - 1));
  show(firstScene[Math.max(1, Math.min(frames.length - 1, number))] ?? 0);
}

const KEYS = {
  ArrowLeft: () => show(at - 1),
  ArrowRight: () => show(at + 1),
  Home: () => show(0),
  End: () => show(scenes.length - 1),
  " ": toggle,
  f: nextFault,
};

// Whether the focused element handles a key itself: a slider, a button, a scrolling text.
function isHandled(focus, key) {
  if (focus.matches("input, select")) return true;
  if (focus.matches("button, summary")) return key === " ";
  return focus.matches("pre, #log") && ["Home", "End", " "].includes(key);
}

function onKey(event) {
  const act = KEYS[event.key];
  if (!act || event.ctrlKey || event.metaKey || event.altKey || isHandled(event.target, event.key)) return;
  event.preventDefault();
  act();
}

drawHeader();
drawResult();
byId("slider").max = scenes.length - 1;
byId("slider").addEventListener("input", (event) => show(Number(event.target.value)));
byId("speed").addEventListener("change", () => play(timer !== null));
byId("strip").addEventListener("click", onStrip);
document.addEventListener("keydown", onKey);
const BUTTONS = {
  first: KEYS.Home,
  back: KEYS.ArrowLeft,
  play: toggle,
  forward: KEYS.ArrowRight,
  last: KEYS.End,
  fault: nextFault,
};
for (const [id, act] of Object.entries(BUTTONS)) byId(id).addEventListener("click", act);
setViewpoint(viewpoint);
