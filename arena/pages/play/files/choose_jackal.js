// Place dice of Jackal & High, one after another, or put won cards in order.

const KEPT = 0;

function choose(choices, view, send) {
  const placements = choices.filter(({ kind }) => kind === "place");
  const orders = choices.filter(({ kind }) => kind === "order");
  const titles = { again: "Roll the die again", valley: "Put a die into the valley" };
  const others = choices.filter(({ kind }) => kind in titles);
  const buttons = others.map(({ action, kind }) => moveButton(titles[kind], () => send(action)));
  return [
    ...(placements.length ? choosePlacement(placements, view, send) : []),
    ...(orders.length ? chooseOrder(orders, view, send) : []),
    ...(buttons.length ? [moveGroup(placements.length ? "Or" : "Choose", ...buttons)] : []),
  ];
}

function choosePlacement(choices, view, send) {
  const { rolled: faces, cards } = view;
  const options = choices.map(({ action, stacks }) => ({ action, stacks: stacks.slice(0, faces.length) }));
  let chosen = faces.map(() => KEPT);
  const isSame = (one, other) => one.every((stack, die) => stack === other[die]);
  // Choose a stack for one die; the others keep theirs as far as the rules allow it.
  const pick = (die, stack) => {
    const wanted = chosen.with(die, stack);
    const agreement = (stacks) => stacks.filter((each, at) => each === wanted[at]).length;
    const fitting = options.map((each) => each.stacks).filter((stacks) => stacks[die] === stack);
    const allKept = faces.map(() => KEPT);
    chosen = [...fitting, ...(stack === KEPT ? [allKept] : [])]
      .reduce((best, stacks) => (agreement(stacks) > agreement(best) ? stacks : best));
  };
  return inSteps((redraw) => {
    const groups = faces.map((face, die) => {
      const stacks = [...new Set(options.map((each) => each.stacks[die]))].sort();
      const buttons = stacks.map((stack) => {
        const label = stack === KEPT ? "keep it" : `stack ${stack}, card ${cards[stack - 1]}`;
        const act = () => { pick(die, stack); redraw(); };
        const shown = stack === KEPT ? [label] : [`stack ${stack}`, el("small", {}, `card ${cards[stack - 1]}`)];
        return toggleButton(label, chosen[die] === stack, act, ...shown);
      });
      return moveGroup(`Die with ${face}`, ...buttons);
    });
    const placed = faces.flatMap((face, die) => (chosen[die] === KEPT ? [] : [`${face} on stack ${chosen[die]}`]));
    const action = options.find((each) => isSame(each.stacks, chosen))?.action;
    return [...groups, playButton(placed.length ? `Place ${placed.join(", ")}` : "Choose a stack for a die", action, send)];
  });
}

function chooseOrder(choices, view, send) {
  const won = view.spoils[data.viewpoint];
  let order = [];
  return inSteps((redraw) => {
    const buttons = won.map((name, at) => {
      const place = order.indexOf(at);
      const act = () => {
        order = place < 0 ? [...order, at] : order.toSpliced(place, 1);
        redraw();
      };
      const label = `card ${name}${place < 0 ? "" : `, number ${place + 1}`}`;
      return toggleButton(label, place >= 0, act, small(name), el("small", {}, place < 0 ? "" : `${place + 1}.`));
    });
    // The last card has only one place left.
    const rest = won.map((_, at) => at).filter((at) => !order.includes(at));
    const whole = rest.length === 1 ? [...order, ...rest] : order;
    const action = choices.find((each) => each.order.join() === whole.join())?.action;
    const label = action === undefined
      ? "Choose the cards from the bottom to the top"
      : `Lay down ${whole.map((at) => won[at]).join(", ")}: ${won[whole.at(-1)]} on top`;
    return [moveGroup("Put the cards that you won on your pile; the last one lies on top", ...buttons), playButton(label, action, send)];
  });
}
