"use strict";
// The connection to the referee: the same for every bot. You need not change it.
// protos/ documents every message.

const path = require("node:path");
const grpc = require("@grpc/grpc-js");
const protoLoader = require("@grpc/proto-loader");

const definition = protoLoader.loadSync("arena/wire/v1/match.proto", {
  includeDirs: [path.join(__dirname, "protos")],
  keepCase: true, // field names as in the .proto files
  defaults: true, // a field that was not sent reads as 0, "" or []
  longs: String, // 64-bit numbers; parse them with BigInt()
  enums: String,
});
const { Arena } = grpc.loadPackageDefinition(definition).arena.wire.v1;

// Play until the referee ends the call; `choose` is called for every decision.
function run(game, choose) {
  const socket = process.env.ARENA_SOCKET;
  if (!socket) {
    console.error("this bot must be started by the referee: see README.md");
    process.exit(1);
  }
  const options = { "grpc.max_receive_message_length": -1 };
  const client = new Arena(`unix:${socket}`, grpc.credentials.createInsecure(), options);
  const call = client.Play();
  const matches = new Map(); // the Start message of each match in play

  call.on("data", (batch) => {
    for (const start of batch.starts) matches.set(start.match, start);
    const decisions = batch.requests.map((request) => {
      const legal = request.legal_actions.map((action) => action[game]);
      const match = matches.get(request.match);
      const chosen = choose(request.view[game], legal, match, request.number);
      return { match: request.match, number: request.number, action: { [game]: chosen } };
    });
    // One message answers the requests of all tables; without requests, send nothing.
    if (decisions.length > 0) call.write({ decisions: { decisions } });
    for (const end of batch.ends) matches.delete(end.match);
    if (batch.goodbye) process.exit(0);
  });
  call.on("error", (error) => {
    console.error(`the connection to the referee failed: ${error.message}`);
    process.exit(1);
  });
  call.on("end", () => client.close());

  const name = path.basename(__dirname);
  call.write({ hello: { protocol: 1, name, games: [game], wants_legal_actions: true } });
}


module.exports = { run };
