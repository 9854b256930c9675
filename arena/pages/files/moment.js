// What is said about the step that is shown: what happened, and why.

// The time left on a seat's clock before a decision, in microseconds; null without a clock.
function timeLeft(number) {
  const [, bank, increment] = /^(?:cpu:)?([\d.]+)(?:\+([\d.]+))?$/.exec(data.clock) ?? [];
  if (bank === undefined) return null;
  const { seat } = frames[number];
  const earlier = frames.slice(1, number).filter((frame) => frame.seat === seat && frame.us !== undefined);
  return earlier.reduce((left, { us }) => left + (increment ?? 0) * 1e6 - us, bank * 1e6);
}

function howText(frame) {
  if (frame.how === "forced") return "the only legal action";
  if (frame.how === "stand-in") return "chosen at random by a stand-in";
  return frame.us === undefined ? "" : `thought for ${duration(frame.us)}`;
}

function clockText(number) {
  const frame = frames[number];
  const left = frame.us === undefined ? null : timeLeft(number);
  if (left === null) return "";
  return `clock before: ${duration(left)}`;
}

function showMoment(scene) {
  const frame = frames[scene.frame];
  const parts = scene.frame === 0
    ? [el("strong", {}, "The deal")]
    : [chip(frame.seat), nameOf(frame.seat), scene.part ? el("span", { class: "note" }, "consequences") : null];
  byId("moment").replaceChildren(...parts.filter(Boolean));
  const said = byId("said");
  said.setAttribute("aria-live", timer === null ? "polite" : "off");
  const lines = sentencesOf(scene).map(([text, kind]) => el("p", { class: kind }, text));
  if (!lines.length && scene.next >= 0) lines.push(el("p", {}, `${names[scene.next]} begins.`));
  if (at === scenes.length - 1) lines.push(el("p", { class: "over" }, overText(data)));
  said.replaceChildren(...lines);
  // A text that scrolls can be scrolled with the keyboard, too.
  if (said.scrollHeight > said.clientHeight) said.setAttribute("tabindex", 0);
  else said.removeAttribute("tabindex");
}

// What the player noted, what it could have done, how long it thought, what it printed.
function showWhy(scene) {
  const frame = frames[scene.frame];
  const isKnown = scene.frame > 0 && scene.part === 0 && mayKnow(frame.seat);
  byId("why").hidden = !isKnown;
  const facts = isKnown ? [`decision ${scene.frame - 1}`, howText(frame), clockText(scene.frame)].filter(Boolean) : [];
  byId("facts").textContent = facts.join(" · ");
  byId("alternatives").replaceChildren(...(isKnown ? alternatives(frame) : []));
  const note = byId("note");
  note.hidden = !isKnown || !frame.note;
  note.textContent = note.hidden ? "" : frame.note;
  const printed = byId("printed");
  printed.hidden = !isKnown || !frame.printed;
  printed.textContent = printed.hidden ? "" : frame.printed;
  if (!printed.hidden) printed.setAttribute("aria-label", `Printed by ${names[frame.seat]}`);
}

// Of a long list of legal actions the page has only the number.
function alternatives(frame) {
  if (!frame.chose) return [];
  const [chosen, choice] = frame.chose;
  const legal = data.choices[choice];
  if (typeof legal === "number") return [`one of ${legal} legal actions: `, played(chosen)];
  const listed = legal.map((action) =>
    action === chosen ? played(action) : el("span", { class: "action" }, data.actions[action]));
  return [`${count(listed.length, "legal action")}: `, ...listed];
}
const played = (action) => el("strong", { class: "action" }, data.actions[action], el("span", {}, " ✓ played"));
