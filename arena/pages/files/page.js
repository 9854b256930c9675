// The page of a match: its header, its result, and what all parts show at a step.

function show(number) {
  at = Math.max(0, Math.min(scenes.length - 1, number));
  const scene = scenes[at];
  showMoment(scene);
  showWhy(scene);
  byId("table").replaceChildren(...game.draw(scene));
  showControls(scene);
  markLog();
  markCourse(scene);
}

function setViewpoint(seat) {
  viewpoint = seat;
  scenes = scenesFor(viewpoint);
  byId("slider").max = scenes.length - 1;
  drawStrip();
  drawLog();
  drawFaults();
  byId("legend").textContent = game.legend(viewpoint);
  byId("mistake").hidden = !mistakes().length;
  byId("seed").textContent = viewpoint === null ? `seed ${data.seed}` : "";
  for (const button of byId("viewpoint").querySelectorAll("button")) {
    button.setAttribute("aria-pressed", button.dataset.viewpoint === String(viewpoint ?? "all"));
  }
  show(at);
}

function drawHeader() {
  const about = [...data.variant, count(seats.length, "player")];
  byId("variant").textContent = [data.title, ...about].join(" · ");
  const cages = {
    none: "played without a cage", landlock: "played in a weaker cage",
    "bubblewrap-disk": "played in a cage with files on a disk",
  };
  const clock = data.clock && `clock ${data.clock}`;
  byId("about").textContent = [clock, cages[data.cage]].filter(Boolean).join(" · ");
  byId("viewpoint").append(el("span", {}, data.viewpoint === null ? "Show" : "What this player saw:"));
  for (const seat of data.viewpoint === null ? [null, ...seats] : [data.viewpoint]) {
    const what = seat === null ? ["all"] : [chip(seat), nameOf(seat)];
    const label = seat === null ? "Show everything" : `Show what ${names[seat]} in seat ${seat} saw`;
    const button = el("button", { "aria-label": label, title: label, "data-viewpoint": seat ?? "all" }, ...what);
    button.addEventListener("click", () => {
      writeAddress();
      setViewpoint(seat);
      writeAddress(true);
    });
    byId("viewpoint").append(button);
  }
}

function drawResult() {
  byId("result").replaceChildren(...placeRows(data, (seat) => {
    const version = data.versions[seat] ? el("span", { class: "version" }, `@${data.versions[seat]}`) : null;
    const name = data.bots ? el("a", { href: data.bots[seat] }, nameOf(seat)) : nameOf(seat);
    return [name, version, inTeams() ? tag(teamName(seat)) : null];
  }));
  const rows = scoreRows(data, "player", (seat) => el("div", { class: "who" }, chip(seat), nameOf(seat)));
  byId("explanation").replaceChildren(
    el("p", {}, data.explanation.sentence),
    el("div", { class: "breakdown", tabindex: 0, role: "region", "aria-label": "What the scores consist of" },
      el("table", {}, ...rows)));
}

function drawFaults() {
  const visible = visibleFaults();
  byId("fault").hidden = !visible.length;
  byId("faults").hidden = !visible.length;
  byId("faults").replaceChildren(
    ...(visible.length ? [el("h2", {}, "Faults")] : []),
    ...visible.map((fault) => {
      const address = addressOf({ frame: fault.decision + 1, part: 0 });
      const printed = el("pre", { tabindex: 0, "aria-label": "stderr" }, fault.stderr || "(nothing)");
      return el(
        "div",
        { class: "fault" },
        el("p", {}, chip(fault.seat), nameOf(fault.seat), tag(fault.ending, "bad"),
          el("a", { href: address }, `decision ${fault.decision}`)),
        el("p", {}, `${fault.sentence}.`),
        lastLine(fault) ? el("p", { class: "exception" }, lastLine(fault)) : null,
        el("details", {}, el("summary", {}, "Output on stderr"), printed),
      );
    }),
  );
}

drawHeader();
drawAim(data);
showWhatIsHidden();
drawResult();
drawCourse();
listen();
setViewpoint(viewpoint);
drawPeriods();
if (location.hash) readAddress();
