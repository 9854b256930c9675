"use strict";
// The conversation with the referee: it is the same for every bot, and needs no change.
// protos/ has every message of it.

const path = require("node:path");
const grpc = require("@grpc/grpc-js");
const protoLoader = require("@grpc/proto-loader");

const definition = protoLoader.loadSync("arena/wire/v1/match.proto", {
  includeDirs: [path.join(__dirname, "protos")],
  keepCase: true, // names as they are in the .proto files
  defaults: true, // a field that was not sent reads as 0, "" or []
  longs: String, // numbers of 64 bits; BigInt() reads them
  enums: String,
});
const { Arena } = grpc.loadPackageDefinition(definition).arena.wire.v1;

// Play until the referee hangs up: choose(view, legal, match) is asked for every decision.
function run(game, choose) {
  const socket = process.env.ARENA_SOCKET;
  if (!socket) {
    console.error("this is a bot, and bots are started by the referee: see README.md");
    process.exit(1);
  }
  const options = { "grpc.max_receive_message_length": -1 };
  const client = new Arena(`unix:${socket}`, grpc.credentials.createInsecure(), options);
  const call = client.Play();
  const matches = new Map(); // what was said at the start of each match that is not over

  call.on("data", (batch) => {
    for (const start of batch.starts) matches.set(start.match, start);
    const decisions = batch.requests.map((request) => {
      const legal = request.legal_actions.map((action) => action[game]);
      const chosen = choose(request.view[game], legal, matches.get(request.match));
      return { match: request.match, number: request.number, action: { [game]: chosen } };
    });
    // However many tables have asked, one message answers them all; no question, no message.
    if (decisions.length > 0) call.write({ decisions: { decisions } });
    for (const end of batch.ends) matches.delete(end.match);
    if (batch.goodbye) process.exit(0);
  });
  call.on("error", (error) => {
    console.error(`the conversation broke off: ${error.message}`);
    process.exit(1);
  });
  call.on("end", () => client.close());

  const name = path.basename(__dirname);
  call.write({ hello: { protocol: 1, name, games: [game], wants_legal_actions: true } });
}

module.exports = { run };
