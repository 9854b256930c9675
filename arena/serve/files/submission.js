// Shows the steps of a check as they happen.
"use strict";

const PENDING = ["queued", "checking"];

async function update() {
  const answer = await fetch(location.href);
  if (answer.ok) {
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    document.getElementById("submission").replaceWith(page.getElementById("submission"));
  }
  next();
}

function next() {
  if (PENDING.includes(document.getElementById("submission").dataset.status)) setTimeout(update, 1000);
}

next();
