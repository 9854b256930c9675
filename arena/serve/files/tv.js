// Plays the newest match by itself, and then the next one that is new.
"use strict";

const frame = document.getElementById("match");
const PAUSE_MS = 3000;
let shown = null;

async function next() {
  const answer = await fetch("/api/v1/matches?limit=1");
  const [match] = answer.ok ? await answer.json() : [];
  if (match && match.id !== shown) {
    shown = match.id;
    frame.src = `/matches/${encodeURIComponent(match.event)}/${match.number}`;
  }
}

function isPlaying() {
  return frame.contentDocument?.body?.classList.contains("playing");
}

frame.addEventListener("load", () => frame.contentDocument.getElementById("play")?.click());
setInterval(() => { if (!isPlaying()) next(); }, PAUSE_MS);
next();
