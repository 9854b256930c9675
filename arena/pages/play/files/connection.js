// Keeps the page up to date, and sends decisions.

const base = `/${location.pathname.split("/")[1]}`;
let version = -1;

const pause = (ms) => new Promise((resolve) => {
  setTimeout(resolve, ms);
  document.addEventListener("visibilitychange", resolve, { once: true });
});

function receive(update) {
  if (update.match !== shown.match) restart(update.match);
  version = update.version;
  now = update;
  update.frames.forEach(addFrame);
  setConnected(true);
  advance();
}

function setConnected(isConnected) {
  document.body.classList.toggle("lost", !isConnected);
  if (!isConnected) byId("moment").textContent = "There is no connection to the table. Trying again.";
}

// Ask for what is new; null if there is no connection.
async function ask(wait) {
  const query = `match=${shown.match}&frames=${shown.frames.length}&version=${version}&wait=${wait}`;
  try {
    const answer = await fetch(`${base}/updates?${query}`, { cache: "no-store" });
    const closed = { ...now, match: shown.match, frames: [], version, turn: null, closed: "The table is closed." };
    return answer.ok ? await answer.json() : closed;
  } catch {
    return null;
  }
}

// A page that nobody sees asks now and then: a browser keeps only a few connections open.
// After a lost connection the first answer comes at once, even if nothing is new.
async function keepUpToDate() {
  let isLost = false;
  while (!now.closed) {
    const update = await ask(document.hidden || isLost ? "no" : "yes");
    if (update) receive(update);
    else setConnected(false);
    isLost = !update;
    if (isLost || document.hidden) await pause(isLost ? 1000 : 2000);
  }
}

// Send something to the table; return why it was refused, or an empty text, and the answer.
async function post(what, content) {
  try {
    const answer = await fetch(`${base}/${what}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(content),
    });
    const text = await answer.text();
    return answer.ok ? ["", text] : [text, ""];
  } catch {
    return ["This was not sent: there is no connection to the table.", ""];
  }
}

async function send(turn, action) {
  wasChosenHere = choosers().includes(document.activeElement);
  choosers().forEach((each) => each.setAttribute("aria-disabled", "true"));
  const [refusal] = await post("move", { turn, action });
  byId("refusal").textContent = refusal;
  if (refusal) choosers().forEach((each) => each.removeAttribute("aria-disabled"));
}

// Ask the house bot search what it would do, from what this seat may know.
async function askForHint() {
  const { number } = now.turn ?? {};
  byId("advice").textContent = "Thinking …";
  const [refusal, text] = await post("hint", { turn: number, action: 0 });
  if (now.turn?.number !== number) return;
  const choice = now.turn.choices.find((each) => each.text === text);
  byId("advice").textContent = refusal || (choice ? `search would play: ${inWords(choice, shown.frames.at(-1).view)}` : "");
}
byId("hint").addEventListener("click", askForHint);

byId("title").textContent = data.title;
byId("about").textContent = [...data.variant, count(seats.length, "player"), data.clock && `your clock ${data.clock}`].filter(Boolean).join(" · ");
byId("you").replaceChildren("You are ", chip(data.viewpoint), " ", nameOf(data.viewpoint));
byId("legend").textContent = game.legend(data.viewpoint);
drawAim(data);
byId("pace").addEventListener("change", () => {
  clearTimeout(shown.timer);
  shown.timer = null;
  advance();
});
keepUpToDate();
