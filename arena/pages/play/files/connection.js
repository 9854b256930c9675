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

async function send(turn, action) {
  const buttons = byId("choices").querySelectorAll("button");
  buttons.forEach((button) => button.setAttribute("aria-disabled", "true"));
  let refusal = "";
  try {
    const answer = await fetch(`${base}/move`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ turn, action }),
    });
    refusal = answer.ok ? "" : await answer.text();
  } catch {
    refusal = "The move was not sent: there is no connection to the table.";
  }
  byId("refusal").textContent = refusal;
  if (refusal) buttons.forEach((button) => button.removeAttribute("aria-disabled"));
}

byId("title").textContent = data.title;
byId("about").textContent = [...data.variant, count(seats.length, "player"), data.clock && `your clock ${data.clock}`].filter(Boolean).join(" · ");
byId("you").replaceChildren("You are ", chip(data.viewpoint), " ", nameOf(data.viewpoint));
byId("legend").textContent = game.legend(data.viewpoint);
byId("pace").addEventListener("change", () => {
  clearTimeout(shown.timer);
  shown.timer = null;
  advance();
});
keepUpToDate();
