// Draws the table of a game that another package brings: its views, in the game's notation.

const KNOWN_ANYWAY = ["parameters", "seats", "seat", "to_act"];
const readable = (name) => name.replaceAll("_", " ");
const listOf = (fields) =>
  el("dl", { class: "fields" },
    ...fields.flatMap(([name, value]) => [el("dt", {}, readable(name)), el("dd", {}, value)]));

const game = {
  turn: "turn",
  periods: () => ({}),

  legend: () => "This game does not come with a drawing: positions are shown in its notation.",

  // What is the same for all seats belongs to the table, everything else to a seat.
  table(views, down, viewpoint) {
    const known = seats.filter((seat) => views[seat] && (viewpoint === null || viewpoint === seat));
    const names = Object.keys(views[known[0]]).filter((name) => !KNOWN_ANYWAY.includes(name));
    const isShared = (name) => known.every((seat) => views[seat][name] === views[known[0]][name]);
    const shared = known.length > 1 ? names.filter(isShared) : [];
    return {
      shared: shared.map((name) => [name, views[known[0]][name]]),
      own: Object.fromEntries(known.map((seat) =>
        [seat, names.filter((name) => !shared.includes(name)).map((name) => [name, views[seat][name]])])),
    };
  },

  scenes: (before, after, events) => [{ ...after, events }],

  draw(scene) {
    const panels = seats.map((seat) =>
      player(scene, seat, "", scene.own[seat] ? listOf(scene.own[seat]) : el("em", {}, "hidden")));
    const table = scene.shared.length ? [zone("Table", "centre", listOf(scene.shared))] : [];
    return [...table, el("div", { class: "seats" }, ...panels)];
  },
};
