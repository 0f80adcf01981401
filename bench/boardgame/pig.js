// Dice Wards' rules (W1-W4) as a game of boardgame.io, on its own server, with its storage in memory.
// Undoing is off, as it must be with dice; the game keeps nothing that its rules do not need.
const { Server, Origins } = require("boardgame.io/server");

const goal = Number(process.env.GOAL || 100);

const Pig = {
  name: "pig",
  minPlayers: 2,
  maxPlayers: 2,
  disableUndo: true,
  setup: () => ({ scores: [0, 0], pile: 0, last: null }),
  moves: {
    roll: ({ G, random, events }) => {
      G.last = random.D6();
      G.pile = G.last === 1 ? 0 : G.pile + G.last;
      if (G.last === 1) events.endTurn();
    },
    hold: ({ G, ctx, events }) => {
      const score = (G.scores[Number(ctx.currentPlayer)] += G.pile);
      G.pile = 0;
      if (score < goal) events.endTurn();
    },
  },
  endIf: ({ G }) => {
    const winner = G.scores.findIndex((score) => score >= goal);
    if (winner !== -1) return { winner: String(winner) };
  },
};

Server({ games: [Pig], origins: [Origins.LOCALHOST] }).run(Number(process.env.PORT || 8000), () => console.log("open"));
