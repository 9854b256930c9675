// Choose a card to turn up in Trio, or what to give in a swap.

function choose(choices, view, send) {
  const texts = choices.map(({ action, text }) => [action, ...text.split(" ")]);
  const only = (...kinds) => texts.filter(([, kind]) => kinds.includes(kind));
  const group = (title, some) => (some.length ? [moveGroup(title, ...some)] : []);
  const { centre } = view;
  const slots = only("centre").map(([action, , slot]) => {
    const isSeen = centre[Number(slot)] !== FACE_DOWN;
    const face = isSeen ? card(centre[Number(slot)], "small") : back("small");
    const label = `slot ${slot}${isSeen ? `, which is ${centre[Number(slot)]}` : ""}`;
    return moveButton(label, () => send(action), face, `slot ${slot}`);
  });
  const asked = seats.flatMap((seat) => {
    const whose = seat === data.viewpoint ? "Show one of your own cards" : `Ask ${names[seat]} for a card`;
    const ends = only("low", "high").filter(([, , owner]) => Number(owner) === seat);
    const buttons = ends.map(([action, end]) => {
      const word = end === "low" ? "lowest" : "highest";
      return moveButton(`${word} card of ${seat === data.viewpoint ? "your own hand" : names[seat]}`, () => send(action), word);
    });
    return group(whose, buttons);
  });
  const given = only("give", "keep").map(([action, kind, number]) =>
    moveButton(kind === "keep" ? "keep all: do not swap" : `give ${number}`, () => send(action)));
  return [...group("Turn up a card of the centre", slots), ...asked, ...group("Swap with your partner", given)];
}
