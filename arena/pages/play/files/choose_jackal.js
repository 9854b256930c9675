// Place dice of Jackal & High by clicking a die in the own hand and a stack, or put won cards in order.

const KEPT = 0;
const TITLES = { again: "roll the die again", valley: "put a die into the valley" };
const inWords = ({ kind, stacks, order }, { rolled }) => TITLES[kind]
  ?? (order?.length ? `cards ${order.join(", ")}` : rolled.map((face, die) => (stacks[die] === KEPT ? `keep ${face}` : `${face} on stack ${stacks[die]}`)).join(", "));

function choose(choices, view, send) {
  const placements = choices.filter(({ kind }) => kind === "place");
  const orders = choices.filter(({ kind }) => kind === "order");
  const buttons = choices.filter(({ kind }) => kind in TITLES)
    .map(({ action, kind }) => moveButton(`Or ${TITLES[kind]}`, () => send(action)));
  return [
    ...(placements.length ? choosePlacement(placements, view, send) : []),
    ...(orders.length ? chooseOrder(orders, view, send) : []),
    ...(buttons.length ? [el("div", { class: "moves" }, ...buttons)] : []),
  ];
}

function choosePlacement(choices, { rolled: faces, cards }, send) {
  const options = choices.map(({ action, stacks }) => ({ action, stacks: stacks.slice(0, faces.length) }));
  const allKept = faces.map(() => KEPT);
  const dice = [...ownSeat().querySelectorAll(".die .piece")];
  const tops = [...byId("table").querySelectorAll(".stack:not(.valley) > .piece")];
  let chosen = allKept;
  let picked = 0;
  // Choose a stack for one die; the others keep theirs as far as the rules allow it.
  const pick = (die, stack) => {
    const wanted = chosen.with(die, stack);
    const agreement = (stacks) => stacks.filter((each, at) => each === wanted[at]).length;
    const fitting = options.map((each) => each.stacks).filter((stacks) => stacks[die] === stack);
    chosen = [...fitting, ...(stack === KEPT ? [allKept] : [])]
      .reduce((best, stacks) => (agreement(stacks) > agreement(best) ? stacks : best));
  };
  return inSteps((redraw) => {
    dice.forEach((each, die) => {
      const stack = chosen[die];
      clickable(each, `die with ${faces[die]}${stack ? ` on stack ${stack}` : ""}`, () => {
        if (stack) pick(die, KEPT);
        picked = die;
        redraw();
      }, die === picked, stack ? `→ stack ${stack}` : "");
    });
    tops.forEach((each, at) => {
      const stack = at + 1;
      const laid = faces.filter((_, die) => chosen[die] === stack);
      const place = () => {
        pick(picked, stack);
        const rest = chosen.indexOf(KEPT);
        picked = rest < 0 ? picked : rest;
        redraw();
      };
      const isOpen = options.some(({ stacks }) => stacks[picked] === stack);
      clickable(each, `stack ${stack}, card ${cards[at]}`, isOpen ? place : null, laid.length > 0, laid.join(" + "));
    });
    const placed = faces.flatMap((face, die) => (chosen[die] === KEPT ? [] : [`${face} on stack ${chosen[die]}`]));
    const action = options.find(({ stacks }) => stacks.join() === chosen.join())?.action;
    return [
      hintLine(`Click a stack for your die with ${faces[picked]}, or another die; a die that lies on a stack comes back.`),
      playButton(placed.length ? `Place ${placed.join(", ")}` : "Choose a stack for a die", action, send),
    ];
  });
}

function chooseOrder(choices, view, send) {
  const won = view.spoils[data.viewpoint];
  const drawn = [...ownSeat().querySelectorAll(".won-cards .piece")];
  let order = [];
  return inSteps((redraw) => {
    drawn.forEach((card, at) => {
      const place = order.indexOf(at);
      clickable(card, `card ${won[at]}${place < 0 ? "" : `, number ${place + 1}`}`, () => {
        order = place < 0 ? [...order, at] : order.toSpliced(place, 1);
        redraw();
      }, place >= 0, place < 0 ? "" : `${place + 1}.`);
    });
    // The last card has only one place left.
    const rest = won.map((_, at) => at).filter((at) => !order.includes(at));
    const whole = rest.length === 1 ? [...order, ...rest] : order;
    const action = choices.find((each) => each.order.join() === whole.join())?.action;
    const label = action === undefined
      ? "Choose the cards from the bottom to the top"
      : `Lay down ${whole.map((at) => won[at]).join(", ")}: ${won[whole.at(-1)]} on top`;
    return [
      hintLine("Click the cards that you won in the order in which they go on your pile: the last one lies on top."),
      playButton(label, action, send),
    ];
  });
}
