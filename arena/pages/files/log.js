// The log: one line for each step, grouped by round.

// The address of a step, as it is seen now.
const addressOf = (scene) =>
  [`#step=${stepName(scene)}`, viewpoint === null || data.viewpoint !== null ? "" : `seat=${viewpoint}`,
    hidesResult ? "hide=result" : "", isEmbedded ? "embed=1" : ""].filter(Boolean).join("&");

// Names and words, or the notation if the reader asks for it.
function lineText(scene) {
  return byId("notation").checked ? shortText(scene) : sentencesOf(scene).map(([text]) => text).join(" ") || shortText(scene);
}

// The values of an event, without words: lists within lists have brackets.
const inBrief = (value) =>
  Array.isArray(value) ? value.map((each) => (Array.isArray(each) ? `(${inBrief(each)})` : each)).join(" ") : value;

function shortText(scene) {
  const frame = frames[scene.frame];
  const texts = scene.events.map(({ sentence, ...fields }) => Object.values(fields).map(inBrief).join(" "));
  if (isSecret(scene, frame)) texts.unshift(frame.secret && mayKnow(frame.seat) ? frame.secret : "in secret");
  if (scene.part === 0 && faultAt(scene.frame)) texts.unshift(`fault: ${faultAt(scene.frame).ending}`);
  return texts.join("; ") || (scene.frame ? "settled" : "the match begins");
}

function logLine(scene) {
  // Only the log as a whole is in the tab order: it has hundreds of lines.
  const link = el("a", { href: addressOf(scene), tabindex: -1, title: sentencesOf(scene).map(([text]) => text).join("\n") },
    el("span", { class: "number" }, stepName(scene)),
    scene.actor < 0 ? el("span", { class: "chip none" }) : chip(scene.actor),
    el("span", { class: scene.part === 0 && faultAt(scene.frame) ? "bad" : "" }, lineText(scene), markOf(scene)));
  return el("li", { class: begins("turn", scenes.indexOf(scene)) ? "turn" : "" }, link);
}

function drawLog() {
  const rounds = [];
  scenes.forEach((scene, number) => {
    if (number === 0 || begins("round", number)) rounds.push([]);
    rounds.at(-1).push(scene);
  });
  const isGrouped = scenes[0].periods.round !== undefined;
  byId("log").replaceChildren(
    ...rounds.flatMap((lines, number) => [
      ...(isGrouped ? [el("h3", {}, `Round ${number + 1}`)] : []),
      el("ol", {}, ...lines.map(logLine)),
    ]));
}

// Buttons for the rounds and turns that this game has.
function drawPeriods() {
  for (const [kind, word] of [["turn", game.turn], ["round", "round"]]) {
    if (scenes[0].periods[kind] === undefined) continue;
    const button = (forward, arrow) => {
      const label = `${forward ? "Next" : "Previous"} ${word}`;
      const made = el("button", { "aria-label": label, title: label }, arrow);
      made.addEventListener("click", () => jump(periodFrom(kind, forward)));
      return made;
    };
    byId("log-title").parentElement.append(
      el("div", { class: "periods" }, button(false, "◂"), word, button(true, "▸")));
  }
}

function markLog() {
  const log = byId("log");
  log.querySelector("[aria-current]")?.removeAttribute("aria-current");
  const lines = log.querySelectorAll("a");
  const line = lines[at];
  lines.forEach((each, number) => (each.parentElement.hidden = hidesResult && number > at));
  line.setAttribute("aria-current", "step");
  const { top } = line.getBoundingClientRect();
  log.scrollTop += top - log.getBoundingClientRect().top - log.clientHeight / 2;
}
