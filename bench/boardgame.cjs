// boardgame.io with its store in memory and a game without rules: the yardstick of load.py.
//     node boardgame.cjs PORT MOVES

const { Server, Origins } = require("boardgame.io/server");

const [port, moves] = process.argv.slice(2).map(Number);

const lay = {
  name: "lay",
  setup: () => ({ laid: [] }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    lay: ({ G }, tile) => {
      G.laid.push(tile);
    },
  },
  endIf: ({ G }) => G.laid.length >= moves,
};

Server({ games: [lay], origins: [Origins.LOCALHOST] }).run(port);
