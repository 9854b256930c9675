// Why the match ended as it did: a sentence, and what the score of each seat consists of.

function drawExplanation() {
  const { sentence, columns, rows } = data.explanation;
  const head = ["player", ...columns].map((word) => el("th", { scope: "col" }, word));
  const order = [...seats].sort((a, b) => data.places[a] - data.places[b] || a - b);
  const body = order.map((seat) =>
    el("tr", { "data-seat": seat },
      el("th", { scope: "row" }, el("div", { class: "who" }, chip(seat), nameOf(seat))),
      ...rows[seat].map((text) => el("td", {}, text || "–"))));
  byId("explanation").replaceChildren(
    el("p", {}, sentence),
    el("div", { class: "breakdown", tabindex: 0, role: "region", "aria-label": "What the scores consist of" },
      el("table", {}, el("thead", {}, el("tr", {}, ...head)), el("tbody", {}, ...body))),
  );
}
