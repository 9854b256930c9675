"use strict";
// A bot for {{title}}: it plays any legal action. The line to change first is marked.

const { createHash } = require("node:crypto");

// Return one of the legal actions. `number` counts the decisions of this seat in the match.
function choose(view, legal, match, number) {
  // A replayed match has the same seed, so the bot plays the same actions in it.
  const drawn = createHash("sha256").update(match.bot_seed).update(`${number}`).digest();
  return legal[drawn.readUInt32BE() % legal.length]; // change me: which action is good?
}

module.exports = { choose };
if (require.main === module) require("./arena.js").run("{{game}}", choose);
