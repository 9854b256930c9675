// The address says which step is shown, and as which seat sees it: #step=23&seat=2.

// The frame of a notebook has no address, and its links would lead to the notebook.
const isFrame = location.protocol === "about:";

// A link may hide how the match ends (hide=result), and a frame may show the table alone (embed=1).
const isEmbedded = /[#&?]embed=1/.test(location.hash + location.search);
let hidesResult = /[#&?]hide=result/.test(location.hash + location.search);

// Write the address. A jump gets an entry in the history, so that Back returns from it; single
// steps do not.
function writeAddress(isJump = false) {
  const address = addressOf(scenes[at]);
  if (isFrame || address === location.hash) return;
  if (isJump) history.pushState(null, "", address);
  else history.replaceState(null, "", address);
}

// Show what the address says; ignore what this page does not have.
function readAddress(hash = location.hash) {
  const wanted = new URLSearchParams(hash.slice(1));
  hidesResult = wanted.get("hide") === "result";
  showWhatIsHidden();
  const seat = seats.find((each) => wanted.get("seat") === String(each)) ?? null;
  if (data.viewpoint === null && seat !== viewpoint) setViewpoint(seat);
  const named = sceneNamed(wanted.get("step") ?? "deal");
  show(named < 0 ? Math.min(at, scenes.length - 1) : named);
}

async function copyAddress() {
  writeAddress();
  try {
    await navigator.clipboard.writeText(location.href);
    announce("copied");
  } catch {
    announce("copy the address from the address bar");
  }
}

function showWhatIsHidden() {
  document.body.classList.toggle("embedded", isEmbedded);
  document.body.classList.toggle("untold", hidesResult);
  byId("tell").hidden = !hidesResult;
  byId("untell").hidden = hidesResult;
  byId("title").textContent = document.title = hidesResult ? `${data.title}: ${names.join(", ")}` : data.heading;
}

// Hide or show how the match ends; the address says it, so that a copied link does the same.
function tell(isTold) {
  hidesResult = !isTold;
  showWhatIsHidden();
  drawLog();
  if (hidesResult) jump(0);
  else show(at);
  writeAddress();
}

// A short message beside the controls.
function announce(text) {
  byId("message").textContent = text;
  setTimeout(() => (byId("message").textContent = ""), 3000);
}
