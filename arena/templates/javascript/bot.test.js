"use strict";
// Check that the bot plays by the rules. Run with `npm test`. positions.json has messages of the
// referee, in base 64: the start of a match, and a request for a decision in it.

const assert = require("node:assert");
const test = require("node:test");
const { read } = require("./arena.js");
const { choose } = require("./bot.js");

for (const message of require("./positions.json")) {
  const { starts: [start], requests: [request] } = read(Buffer.from(message, "base64"));
  test(`the action at decision ${request.number} is legal`, () => {
    const legal = request.legal_actions.map((action) => action["{{game}}"]);
    const copies = structuredClone({ view: request.view["{{game}}"], legal });
    const chosen = choose(copies.view, copies.legal, start, request.number);
    assert(legal.some((action) => JSON.stringify(action) === JSON.stringify(chosen)));
  });
}
