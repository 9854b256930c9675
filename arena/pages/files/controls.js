// Moving through the steps: buttons, keys, the slider with its marks, playing.

let timer = null;

// Go to a scene that is not the next one: Back returns from it.
function jump(number) {
  writeAddress();
  show(number);
  writeAddress(true);
}

function step(number) {
  show(number);
  if (timer === null) writeAddress();
}

function play(on) {
  clearInterval(timer);
  timer = on ? setInterval(advance, Number(byId("speed").value)) : null;
  byId("play").setAttribute("aria-label", on ? "Pause" : "Play");
  document.body.classList.toggle("playing", on);
  if (!on) writeAddress();
}

function advance() {
  if (at === scenes.length - 1) play(false);
  else step(at + 1);
}

function toggle() {
  if (timer === null && at === scenes.length - 1) show(0);
  play(timer === null);
}

function nextFault() {
  const positions = visibleFaults().map(({ decision }) => sceneNamed(stepOf(decision))).sort((a, b) => a - b);
  if (positions.length) jump(positions.find((position) => position > at) ?? positions[0]);
}

function nextMistake() {
  const positions = mistakes().map(({ number }) => sceneNamed(stepOf(number)));
  if (positions.length) jump(positions.find((position) => position > at) ?? positions[0]);
}

function showControls(scene) {
  byId("slider").value = at;
  byId("slider").setAttribute("aria-valuetext", scene.frame ? `decision ${stepName(scene)} of ${lastStep - 1}` : "deal");
  byId("count").textContent = `${stepName(scene)} / ${lastStep - 1}`;
  for (const id of ["first", "back"]) byId(id).disabled = at === 0;
  for (const id of ["forward", "last"]) byId(id).disabled = at === scenes.length - 1;
}

// Behind the slider: how long each decision took, where rounds and turns begin, and the faults.
// Thinking times range from microseconds to seconds, so the scale is logarithmic.
const STRIP = 40;

function drawStrip() {
  const times = scenes.map(({ frame, part }) =>
    part === 0 && frame > 0 && mayKnow(frames[frame].seat) ? frames[frame].us : undefined);
  const most = Math.max(100, ...times.filter((us) => us !== undefined));
  const height = (us) => 3 + (STRIP - 13) * (Math.log1p(us / 10) / Math.log1p(most / 10));
  const marks = scenes.flatMap((scene, number) => {
    const us = times[number];
    const isFault = scene.part === 0 && faultAt(scene.frame);
    const isMistake = scene.part === 0 && assessmentOf(scene.frame)?.mistake && mayKnow(frames[scene.frame].seat);
    const kind = begins("round", number) ? "round" : begins("turn", number) ? "turn" : null;
    const size = us === undefined ? 0 : height(us);
    const start = kind === "round" ? 0 : STRIP - 6;
    return [
      kind && svg("path", { class: kind, d: `M${number} ${start}V${STRIP}` }),
      size && svg("rect", { x: number - 0.4, y: STRIP - size, width: 0.8, height: size }),
      isMistake && svg("path", { class: "mistake", d: `M${number} 0V9` }),
      isFault && svg("path", { class: "fault", d: `M${number} 0V${STRIP}` }),
    ].filter(Boolean);
  });
  const picture = byId("strip");
  picture.setAttribute("viewBox", `0 0 ${Math.max(1, scenes.length - 1)} ${STRIP}`);
  picture.replaceChildren(...marks);
  const longest = times.some((us) => us !== undefined) ? `, at most ${duration(most)}` : "";
  byId("scale").textContent = `Bars behind the slider: thinking time of each decision${longest} (logarithmic).`;
}

const KEYS = {
  ArrowLeft: () => step(at - 1),
  ArrowRight: () => step(at + 1),
  Home: () => jump(0),
  End: () => jump(scenes.length - 1),
  " ": toggle,
  f: nextFault,
  m: nextMistake,
  t: () => jump(periodFrom("turn", true)),
  T: () => jump(periodFrom("turn", false)),
  r: () => jump(periodFrom("round", true)),
  R: () => jump(periodFrom("round", false)),
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

const BUTTONS = {
  first: KEYS.Home,
  back: KEYS.ArrowLeft,
  play: toggle,
  forward: KEYS.ArrowRight,
  last: KEYS.End,
  fault: nextFault,
  mistake: nextMistake,
  tell: () => tell(true),
  untell: () => tell(false),
  copy: copyAddress,
};

function listen() {
  byId("slider").addEventListener("input", (event) => show(Number(event.target.value)));
  byId("slider").addEventListener("change", () => writeAddress(true));
  byId("speed").addEventListener("change", () => play(timer !== null));
  byId("notation").addEventListener("change", () => {
    drawLog();
    markLog();
  });
  document.addEventListener("keydown", onKey);
  addEventListener("popstate", () => readAddress());
  if (isFrame) {
    addEventListener("click", (event) => {
      const link = event.target.closest("a");
      if (!link) return;
      event.preventDefault();
      readAddress(link.hash);
    });
  }
  for (const [id, act] of Object.entries(BUTTONS)) byId(id).addEventListener("click", act);
}
