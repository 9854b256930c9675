// The address says which step is shown, and as which seat sees it: #step=23&seat=2.

// The frame of a notebook has no address, and its links would lead to the notebook.
const isFrame = location.protocol === "about:";

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
  const seat = seats.find((each) => wanted.get("seat") === String(each)) ?? null;
  if (data.viewpoint === null && seat !== viewpoint) setViewpoint(seat);
  const named = sceneNamed(wanted.get("step") ?? "0");
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

// A short message beside the controls.
function announce(text) {
  byId("message").textContent = text;
  setTimeout(() => (byId("message").textContent = ""), 3000);
}
