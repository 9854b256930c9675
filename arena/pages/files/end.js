// How a match is won and how it ends, on any page: who wins, the places, and what the scores consist of.
// A result has places, scores, score_word, endings, ending and explanation (`result_data` in match_data.py).

const byPlace = ({ places }) => [...seats].sort((a, b) => places[a] - places[b] || a - b);
const heads = (...words) => el("thead", {}, el("tr", {}, ...words.map((word) => el("th", { scope: "col" }, word))));

// The rows of a table of places; `whoIs` returns what names a seat.
function placeRows(result, whoIs) {
  const rows = byPlace(result).map((seat) => {
    const ending = result.endings[seat] === "played" ? null : tag(result.endings[seat], "bad");
    return el("tr", { "data-seat": seat },
      el("td", { class: "place" }, result.places[seat]),
      el("td", {}, el("div", { class: "who" }, chip(seat), ...whoIs(seat), ending)),
      el("td", { class: "points" }, result.scores[seat]));
  });
  return [heads("place", "player", result.score_word), el("tbody", {}, ...rows)];
}

// The rows of a table of what each score consists of; `head` is the word above what names a seat.
function scoreRows(result, head, whoIs) {
  const { columns, rows } = result.explanation;
  const body = byPlace(result).map((seat) =>
    el("tr", { "data-seat": seat },
      el("th", { scope: "row" }, whoIs(seat)), ...rows[seat].map((text) => el("td", {}, text || "–"))));
  return [heads(head, ...columns), el("tbody", {}, ...body)];
}

// `you` is the seat of the reader, if the reader plays.
function overText({ places, ending }, you = null) {
  const winners = seats.filter((seat) => places[seat] === 1);
  const who = winners.map((seat) => (seat === you ? "you" : names[seat])).join(" and ");
  const verb = winners.length > 1 ? "share first place" : winners[0] === you ? "win" : "wins";
  return `${ending === "length cap" ? "The length cap ends the match" : "The match is over"}: ${who} ${verb}.`;
}

// The last sentence of the aim says who wins; the rest is folded.
function drawAim({ aim, rules, title }) {
  byId("aim").hidden = !aim;
  const goal = (aim ?? "").match(/[^.]+\.?$/)?.[0].trim();
  byId("aim").append(el("summary", {}, `How ${title} is won`, el("span", {}, `: ${goal}`)),
    el("p", {}, aim, ...(rules ? [" ", el("a", { href: rules }, "All rules")] : [])));
}
