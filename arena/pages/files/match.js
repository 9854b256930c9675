// The match as steps: what is known at each of them, and which round and turn it belongs to.

const data = JSON.parse(document.getElementById("data").textContent);
setPlayers(data);
const byId = (id) => document.getElementById(id);

// All frames with complete views, assembled from the changes in each frame.
function unpack() {
  const views = seats.map(() => ({}));
  const course = new Map(data.course);
  let down = [];
  let scores;
  return data.frames.map((frame, number) => {
    down = frame.down ?? down;
    scores = course.get(number) ?? scores;
    for (const seat of seats) {
      views[seat] = { ...views[seat], ...frame.all, ...(frame.own ?? {})[seat] };
    }
    const events = (frame.events ?? []).map((event) => readEvent(data.events[event], data.event_fields));
    return { ...frame, views: [...views], down, scores, events };
  });
}
const frames = unpack();

// The state of the page.
let viewpoint = data.viewpoint;
let scenes = [];
let at = 0;

const mayKnow = (seat) => viewpoint === null || viewpoint === seat;
const visibleFaults = () => data.faults.filter((fault) => mayKnow(fault.seat));
const faultAt = (number) => visibleFaults().find((fault) => fault.decision === number - 1);

function scenesFor(viewpoint) {
  const made = [];
  const known = viewpoint ?? data.viewpoint ?? 0;
  let before = null;
  let roundStart = frames[0].scores;
  frames.forEach((frame, number) => {
    const after = game.table(frame.views, frame.down, viewpoint, before, frame);
    const faults = data.faults.filter(
      ({ seat, decision }) => (viewpoint === null || viewpoint === seat) && number > decision);
    const faulted = Object.fromEntries(faults.map(({ seat, ending }) => [seat, ending]));
    for (const scene of scenesOf(before, after, frame, frame.views[known].to_act, roundStart)) {
      // A decision belongs to the round and turn in which it was made, a new deal to the next.
      const isNew = number === 0 || (scene.part > 0 && scene.events.some((event) => event.kind === "round"));
      const periods = game.periods(frames[isNew ? number : number - 1].views[known]);
      made.push({ ...scene, frame: number, viewpoint, faulted, periods });
    }
    if (frame.events.some((event) => event.kind === "round")) roundStart = frame.scores;
    before = after;
  });
  return made;
}

// Steps have the number of their decision, from 0, as everywhere; its consequences have letters: 23, 23b, 23c.
const stepName = ({ frame, part }) => (frame ? `${frame - 1}${part ? "abcdefgh"[part] : ""}` : "deal");
const stepOf = (decision) => stepName({ frame: decision + 1, part: 0 });
const lastStep = frames.length - 1;
const sceneNamed = (name) => scenes.findIndex((scene) => stepName(scene) === name);

// Whether a round or turn begins with this scene.
const begins = (kind, number) =>
  number > 0 && scenes[number].periods[kind] !== scenes[number - 1].periods[kind];

// The first scene of the next or previous round or turn; of this one, when going back from its middle.
function periodFrom(kind, forward) {
  const starts = scenes.map((_, number) => number).filter((number) => number === 0 || begins(kind, number));
  if (forward) return starts.find((number) => number > at) ?? scenes.length - 1;
  return starts.findLast((number) => number < at) ?? 0;
}

function duration(us) {
  if (us < 1e3) return `${us} µs`;
  return us < 1e6 ? `${(us / 1e3).toFixed(1)} ms` : `${(us / 1e6).toFixed(1)} s`;
}

// What happened in a scene, in sentences; each with a class.
function sentencesOf(scene) {
  const frame = frames[scene.frame];
  const lines = [];
  if (scene.part === 0 && scene.frame > 0) {
    const fault = faultAt(scene.frame);
    if (fault) {
      const sentence = `${names[fault.seat]} faulted (${fault.ending}): ${fault.sentence}. A stand-in plays on.`;
      lines.push([sentence, "bad"]);
      const line = lastLine(fault);
      if (line) lines.push([line, "exception"]);
    }
    const secret = mayKnow(frame.seat) ? frame.secret : "";
    if (isSecret(scene, frame)) lines.push([secretSentence({ ...frame, secret }), ""]);
  }
  return [...lines, ...scene.events.map((event) => [event.sentence, ""])];
}

// The last line that a crashed bot printed, which names the exception.
function lastLine(fault) {
  if (fault.ending !== "crashed") return "";
  return fault.stderr.trimEnd().split("\n").at(-1).trim();
}
