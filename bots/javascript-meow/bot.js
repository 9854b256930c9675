"use strict";
// A bot that plays MEOW. The upper half is the conversation, alike for every game and every bot;
// the lower half is what this bot thinks of cards. The Arena's protos/README.md tells the story.

const path = require("node:path");
const grpc = require("@grpc/grpc-js");
const protoLoader = require("@grpc/proto-loader");

const definition = protoLoader.loadSync("arena/wire/v1/match.proto", {
  includeDirs: [path.join(__dirname, "protos")],
  keepCase: true, // names as they are in the .proto files
  defaults: true, // a field that was not sent reads as 0, "" or []
});
const { Arena } = grpc.loadPackageDefinition(definition).arena.wire.v1;

function converse(socket) {
  // At very many tables a batch may be larger than the 4 MiB that gRPC takes by itself.
  const options = { "grpc.max_receive_message_length": -1 };
  const client = new Arena(`unix:${socket}`, grpc.credentials.createInsecure(), options);
  const call = client.Play();
  const matches = new Map(); // what is known of each match that is not over, by its number

  call.on("data", (batch) => {
    for (const start of batch.starts) matches.set(start.match, start);
    const decisions = batch.requests.map((request) => ({
      match: request.match,
      number: request.number,
      action: { meow: { card: choose(request, matches.get(request.match).seat) } },
    }));
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

  const games = ["meow"];
  call.write({ hello: { protocol: 1, name: "javascript-meow", games, wants_legal_actions: true } });
}

const GREEN = 2;
const FISH = 100;
const VASE = -100;
const colour = (card) => Math.floor(card / 18);
const rank = (card) => (card % 18) + 1;

// Choose among the legal cards. Nothing here is random, so the bot's own seed is not needed.
function choose(request, seat) {
  const view = request.view.meow;
  const legal = request.legal_actions.map((action) => action.meow.card);
  const weakestFirst = legal.sort((a, b) => strength(a) - strength(b));
  const winners = weakestFirst.filter((card) => winnerOf([...view.trick, card]) === card);
  const losers = weakestFirst.filter((card) => !winners.includes(card));
  const isLast = view.trick.length === view.won.length - 1;
  if (worth(view.row[0], view.won[seat].tokens) > 0) {
    if (winners.length === 0) return losers[0];
    // Those who play later may still beat the card, so only the last player can be thrifty.
    return isLast ? winners[0] : winners.at(-1);
  }
  // An unwelcome prize is the time to get rid of high cards, as long as they do not win it.
  if (losers.length > 0) return losers.at(-1);
  return isLast ? winners.at(-1) : winners[0];
}

// What the next token of the row is worth to somebody who has won these.
function worth(token, won) {
  const worstBone = Math.min(0, ...won.filter((other) => other !== VASE));
  if (token === FISH) return 1 - worstBone;
  if (token === VASE) return won.includes(VASE) ? -20 : -5;
  return token;
}

// How likely a card is to win some trick: any green beats any other colour.
function strength(card) {
  return colour(card) === GREEN ? 18 + rank(card) : rank(card);
}

// The card that wins as things stand; with the 18 of its colour beside it, a 1 is the highest.
function winnerOf(trick) {
  const trump = trick.some((card) => colour(card) === GREEN) ? GREEN : colour(trick[0]);
  const suit = trick.filter((card) => colour(card) === trump).sort((a, b) => a - b);
  const [lowest, highest] = [suit[0], suit.at(-1)];
  return rank(lowest) === 1 && rank(highest) === 18 ? lowest : highest;
}

const socket = process.env.ARENA_SOCKET;
if (!socket) {
  console.error("this is a bot, and bots are started by the referee: see README.md");
  process.exit(1);
}
converse(socket);
