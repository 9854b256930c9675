"use strict";
// Does the bot play by the rules? Run this with `npm test`. positions.json has some positions of a
// match with the legal actions, in the words of the .proto files.

const assert = require("node:assert");
const test = require("node:test");
const { choose } = require("./bot.js");
const positions = require("./positions.json");

for (const { number, match, view, legal } of positions) {
  test(`what it plays at decision ${number} is legal`, () => {
    const copies = structuredClone({ view, legal });
    const chosen = choose(copies.view, copies.legal, match);
    assert(legal.some((action) => JSON.stringify(action) === JSON.stringify(chosen)));
  });
}
