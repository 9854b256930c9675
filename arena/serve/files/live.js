// What is played now, from server-sent events; new results replace the old ones in place.
"use strict";

const byId = (id) => document.getElementById(id);

function showProgress(now) {
  let text = "Nothing is played at the moment.";
  if (now.event) {
    const left = now.expected && now.left ? `, ${now.left}` : "";
    const of = now.expected || now.planned;
    text = `${now.event}: round ${now.round}, ${now.matches} of ${of} matches, ${now.rate} matches and ${now.decisions_per_s} decisions per second${left}`;
  }
  byId("now").textContent = text;
  const bar = byId("share");
  if (!bar) return;
  bar.hidden = !now.event;
  bar.value = now.event ? now.matches / Math.max(1, now.expected || now.planned) : 0;
  byId("tables").textContent = now.event && now.at_tables.length ? `At the tables: ${now.at_tables.join(", ")}` : "";
}

// Replace the parts of this page that show results by those of the page as it is now.
async function showResults() {
  const page = await fetch(location.href);
  if (!page.ok) return;
  const fresh = new DOMParser().parseFromString(await page.text(), "text/html");
  if (byId("results")) {
    byId("results").replaceWith(fresh.getElementById("results"));
  } else {
    const tables = document.querySelectorAll("main tbody");
    const newer = fresh.querySelectorAll("main tbody");
    if (tables.length === newer.length) tables.forEach((table, at) => table.replaceWith(newer[at]));
    else location.reload();
  }
}

const source = new EventSource("/api/v1/live");
let known = null;
source.addEventListener("progress", (event) => showProgress(JSON.parse(event.data)));
source.addEventListener("results", (event) => {
  const { number } = JSON.parse(event.data);
  if (known !== null && number !== known) showResults();
  known = number;
});
const tv = byId("tv");
if (tv) tv.src = tv.dataset.src;
