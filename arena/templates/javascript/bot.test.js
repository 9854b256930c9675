"use strict";
// Check that the bot plays by the rules. Run with `npm test`. positions.json has positions of a
// match with their legal actions, in the field names of the .proto files.

const assert = require("node:assert");
const test = require("node:test");
const { choose } = require("./bot.js");
const positions = require("./positions.json");

for (const { number, match, view, legal } of positions) {
  test(`the action at decision ${number} is legal`, () => {
    const copies = structuredClone({ view, legal });
    const start = { ...match, bot_seed: Buffer.alloc(32) };
    const chosen = choose(copies.view, copies.legal, start, number);
    assert(legal.some((action) => JSON.stringify(action) === JSON.stringify(chosen)));
  });
}
