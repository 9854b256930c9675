// Drop the folder of a bot: its files are sent with their paths, which a plain form cannot do.
"use strict";

const form = document.getElementById("submit");
const drop = document.getElementById("drop");
const folder = document.getElementById("folder");
const chosen = document.getElementById("chosen");
let dropped = [];

async function filesOf(entry) {
  if (entry.isFile) {
    const file = await new Promise((done, fail) => entry.file(done, fail));
    return [[entry.fullPath.slice(1), file]];
  }
  const reader = entry.createReader();
  const found = [];
  for (;;) {
    const some = await new Promise((done, fail) => reader.readEntries(done, fail));
    if (!some.length) return found;
    for (const each of some) found.push(...await filesOf(each));
  }
}

drop.addEventListener("dragover", (event) => { event.preventDefault(); drop.classList.add("over"); });
drop.addEventListener("dragleave", () => drop.classList.remove("over"));
drop.addEventListener("drop", async (event) => {
  event.preventDefault();
  drop.classList.remove("over");
  const entries = [...event.dataTransfer.items].map((item) => item.webkitGetAsEntry()).filter(Boolean);
  dropped = (await Promise.all(entries.map(filesOf))).flat();
  chosen.textContent = dropped.map(([path]) => path).join(", ");
});

form.addEventListener("submit", async (event) => {
  const paths = dropped.length ? dropped : [...folder.files].map((file) => [file.webkitRelativePath, file]);
  if (!paths.length) return;  // a zip file: the plain form sends it
  event.preventDefault();
  const data = new FormData();
  data.append("code", form.elements.code.value);
  if (paths.length === 1 && paths[0][0].endsWith(".zip")) data.append("package", paths[0][1]);
  else for (const [path, file] of paths) {
    data.append("paths", path);
    data.append("files", file, file.name);
  }
  const answer = await fetch("/submit", { method: "POST", body: data });
  if (answer.redirected) location.assign(answer.url);
  else document.body.innerHTML = new DOMParser().parseFromString(await answer.text(), "text/html").body.innerHTML;
});
