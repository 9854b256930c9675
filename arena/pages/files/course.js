// The course of the match: scores and chances over the decisions, and the mistakes that search found.

const CHART = { width: 600, height: 120 };

// Never colour alone: each seat has its own dashes.
const curve = (seat, d) => svg("path", { d, "data-side": sides[seat], "data-dash": seat, class: "curve" });
const sample = (seat) =>
  svg("svg", { class: "sample", viewBox: "0 0 30 6", "aria-hidden": "true" }, curve(seat, "M0 3H30"));

// One line for each seat: points are [step, value]. Marks are [step, seat].
function chart(title, lines, low, high, format, marks = []) {
  const x = (step) => (CHART.width * step) / Math.max(1, lastStep);
  const y = (value) => CHART.height - (CHART.height * (value - low)) / (high - low || 1);
  const paths = lines.map(({ seat, points, steps }) => {
    const path = points.map(([step, value], number) => {
      const [px, py] = [x(step).toFixed(1), y(value).toFixed(1)];
      if (!number) return `M${px} ${py}`;
      return steps ? `H${px}V${py}` : `L${px} ${py}`;
    });
    if (steps) path.push(`H${CHART.width}`);
    return curve(seat, path.join(""));
  });
  const marker = svg("line", { class: "marker", x1: 0, x2: 0, y1: 0, y2: CHART.height });
  const picture = svg("svg", {
    class: "chart", viewBox: `0 0 ${CHART.width} ${CHART.height}`, preserveAspectRatio: "none",
    role: "img", "aria-label": `${title}, step by step`,
  }, marker, ...paths, ...marks.map(([step, seat]) =>
    svg("path", { class: "slip", "data-side": sides[seat], d: `M${x(step).toFixed(1)} 0v9` })));
  picture.addEventListener("click", (event) => {
    const box = picture.getBoundingClientRect();
    const step = Math.round((lastStep * (event.clientX - box.left)) / box.width);
    jump(Math.max(0, sceneNamed(stepOf(step - 1))));
  });
  const labels = lines.map(({ seat, points }) =>
    el("li", {}, sample(seat), chip(seat), nameOf(seat), " ", el("b", {}, format(points.at(-1)[1]))));
  return { marker, x, lines, labels, format, parts: [
    el("h3", {}, title),
    el("div", { class: "plot" },
      el("span", { class: "high" }, format(high)), el("span", { class: "low" }, format(low)), picture),
    el("ul", { class: "lines" }, ...labels),
  ] };
}

const percentage = (share) => `${Math.round(100 * share)} %`;

function scoreChart() {
  const values = data.course.flatMap(([, scores]) => scores);
  const lines = seats.map((seat) =>
    ({ seat, steps: true, points: data.course.map(([step, scores]) => [step, scores[seat]]) }));
  const title = data.score_word[0].toUpperCase() + data.score_word.slice(1);
  return chart(title, lines, Math.min(...values), Math.max(...values), String);
}

// With the analysis of one seat only, its own chance.
function chanceChart() {
  const known = data.analysis.course;
  const shown = data.viewpoint === null ? seats : [data.viewpoint];
  const lines = shown.map((seat) =>
    ({ seat, steps: false, points: known.map(([number, chances]) => [number + 1, chances[seat]]) }));
  const marks = mistakes().map((each) => [each.number + 1, each.seat]);
  return chart("Chance to come first", lines, 0, 1, percentage, marks);
}

let charts = [];

function drawCourse() {
  charts = [scoreChart(), ...(data.analysis?.decisions.length ? [chanceChart()] : [])];
  byId("course").hidden = lastStep < 1;
  byId("course").replaceChildren(
    el("h2", {}, "Course of the match"), ...charts.flatMap((each) => each.parts), ...analysisParts());
}

const places = (number) => `${number.toFixed(2)} ${number === 1 ? "place" : "places"}`;

function analysisParts() {
  if (!data.analysis) return [];
  const { effort, mistake, worst, decisions, accuracy } = data.analysis;
  const marked = mistakes().length;
  const items = worst.map((number) => {
    const each = decisions.find((other) => other.number === number);
    return el("li", {},
      el("a", { href: addressOf({ frame: number + 1, part: 0 }) }, `decision ${number}`), " ",
      chip(each.seat), " ", nameOf(each.seat), ` ${each.played} instead of ${each.best}: loses ${places(each.loss)} `,
      each.mark ? tag(each.mark, "bad") : null);
  });
  return [
    el("table", { class: "accuracy" }, heads("player", "decisions", "as good as the best", "mistakes", "places lost"),
      el("tbody", {}, ...accuracy.map((each) => el("tr", {},
        el("th", { scope: "row" }, el("div", { class: "who" }, chip(each.seat), nameOf(each.seat))),
        el("td", {}, each.decisions), el("td", {}, percentage(each.good / each.decisions)),
        el("td", {}, each.mistakes - each.blunders, " ?, ", each.blunders, " ??"), el("td", {}, each.lost.toFixed(2)))))),
    el("p", {}, `${count(marked, "mistake")} (M goes to the next): decisions that lose ${places(mistake)} or more, and more than luck explains; ?? if it is half a place.`),
    items.length ? el("ol", { class: "worst" }, ...items) : null,
    el("p", { class: "small" }, `Analysed by the house bot search, ${effort}. It knows only what the `
      + "player who decides knew. Chances and losses are estimates; a line is the mean of what all players last knew."),
  ].filter(Boolean);
}

const mistakes = () => (data.analysis?.decisions ?? []).filter((each) => each.mistake && mayKnow(each.seat));

// What annotators write behind a move.
function markOf(scene) {
  const mark = scene.part === 0 && mayKnow(frames[scene.frame].seat) ? assessmentOf(scene.frame)?.mark : "";
  return mark ? el("b", { class: "bad", title: mark === "?" ? "mistake" : "blunder" }, ` ${mark}`) : null;
}

const assessmentOf = (number) => data.analysis?.decisions.find((each) => each.number === number - 1);

function markCourse(scene) {
  for (const { marker, x, lines, labels, format } of charts) {
    marker.setAttribute("x1", x(scene.frame));
    marker.setAttribute("x2", x(scene.frame));
    lines.forEach(({ points }, number) => {
      const now = points.findLast(([step]) => step <= scene.frame) ?? points[0];
      labels[number].querySelector("b").textContent = format(now[1]);
    });
  }
  const each = scene.part === 0 && mayKnow(frames[scene.frame].seat) ? assessmentOf(scene.frame) : null;
  const verdict = byId("verdict");
  verdict.hidden = !each;
  if (!each) return;
  const what = each.loss > 0
    ? `search prefers ${each.best}: ${each.played} loses ${places(each.loss)} (± ${each.error.toFixed(2)})`
    : `search finds nothing better than ${each.played}`;
  verdict.replaceChildren(
    `${what}; chance to come first ${percentage(each.chances[each.seat])}. `,
    ...(each.mistake ? [tag("mistake", "bad")] : []));
}
