"use strict";
// A bot that plays MEOW. The first half handles the protocol and is the same for every game and bot;
// the second half chooses cards. The Arena's protos/README.md describes the protocol.

const path = require("node:path");
const grpc = require("@grpc/grpc-js");
const protoLoader = require("@grpc/proto-loader");

const definition = protoLoader.loadSync("arena/wire/v1/match.proto", {
  includeDirs: [path.join(__dirname, "protos")],
  keepCase: true, // field names as in the .proto files
  defaults: true, // a field that was not sent reads as 0, "" or []
});
const { Arena } = grpc.loadPackageDefinition(definition).arena.wire.v1;

function play(socket) {
  // With very many tables, a batch may exceed gRPC's default limit of 4 MiB.
  const options = { "grpc.max_receive_message_length": -1 };
  const client = new Arena(`unix:${socket}`, grpc.credentials.createInsecure(), options);
  const call = client.Play();
  const matches = new Map(); // the Start message of each match in play, by its number

  call.on("data", (batch) => {
    for (const start of batch.starts) matches.set(start.match, start);
    const decisions = batch.requests.map((request) => ({
      match: request.match,
      number: request.number,
      action: { meow: { card: choose(request, matches.get(request.match).seat) } },
    }));
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

  const games = ["meow"];
  call.write({ hello: { protocol: 1, name: "javascript-meow", games, wants_legal_actions: true } });
}

const GREEN = 2;
const FISH = 100;
const VASE = -100;
const colour = (card) => Math.floor(card / 18);
const rank = (card) => (card % 18) + 1;

// Choose a legal card. Nothing here is random, so the bot does not need its seed.
function choose(request, seat) {
  const view = request.view.meow;
  const legal = request.legal_actions.map((action) => action.meow.card);
  const weakestFirst = legal.sort((a, b) => strength(a) - strength(b));
  const winners = weakestFirst.filter((card) => winnerOf([...view.trick, card]) === card);
  const losers = weakestFirst.filter((card) => !winners.includes(card));
  const isLast = view.trick.length === view.won.length - 1;
  if (worth(view.row[0], view.won[seat].tokens) > 0) {
    if (winners.length === 0) return losers[0];
    // Later players may still beat the card, so only the last player can play a low winner.
    return isLast ? winners[0] : winners.at(-1);
  }
  // Discard high cards on a bad prize, as long as they do not win it.
  if (losers.length > 0) return losers.at(-1);
  return isLast ? winners.at(-1) : winners[0];
}

// The value of the next token of the row for a player who has won these.
function worth(token, won) {
  const worstBone = Math.min(0, ...won.filter((other) => other !== VASE));
  if (token === FISH) return 1 - worstBone;
  if (token === VASE) return won.includes(VASE) ? -20 : -5;
  return token;
}

// Rank cards of all colours: any green beats any other colour.
function strength(card) {
  return colour(card) === GREEN ? 18 + rank(card) : rank(card);
}

// The card that wins the trick so far; together with the 18 of its colour, a 1 is the highest.
function winnerOf(trick) {
  const trump = trick.some((card) => colour(card) === GREEN) ? GREEN : colour(trick[0]);
  const suit = trick.filter((card) => colour(card) === trump).sort((a, b) => a - b);
  const [lowest, highest] = [suit[0], suit.at(-1)];
  return rank(lowest) === 1 && rank(highest) === 18 ? lowest : highest;
}

const socket = process.env.ARENA_SOCKET;
if (!socket) {
  console.error("this bot must be started by the referee: see README.md");
  process.exit(1);
}
play(socket);
