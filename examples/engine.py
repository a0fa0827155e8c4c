"""An engine in sixty lines: docs/protocol.md, spoken without the library's own engine or client.

    tegel match 3 --game imago --games 2 --against "python examples/engine.py"

It plays every game, and looks one move ahead: of twenty moves by lot it takes the one after which
its score leads most. Copy it, and put your own idea into `best`.
"""

import random
import sys

import tegel

SAMPLE = 20


def best(state, lot):
    """The best of a few moves, and what the seats would score after it."""
    moves, seat = state.moves(), state.turn
    few = [moves[place] for place in lot.sample(range(len(moves)), min(SAMPLE, len(moves)))]

    def lead(move):
        scores = state.play(move).scores
        return scores[seat] - max(s for other, s in enumerate(scores) if other != seat)

    move = max(few, key=lead)
    return move, state.play(move).scores


def reached(words):
    """The state at the end of `GAME VARIANT [KEY=VALUE ...] [moves MOVE ...]`."""
    cut = words.index("moves") if "moves" in words else len(words)
    game = tegel.load(words[0])
    state = game.start(words[1], **dict(word.split("=", 1) for word in words[2:cut]))
    for move in words[cut + 1 :]:
        state = state.play(game.parse(move))
    return state


state, lot = None, random.Random()
for line in sys.stdin:
    command, *words = line.split() or [""]
    try:
        if command == "tegel":
            print("id name Sixty lines", "id author the Tegel team", sep="\n")
            for name in tegel.games.names():
                print("game", name, *tegel.load(name).variants)
            print("option seed number 0 0 1000000", "tegelok 1", sep="\n")
        elif command == "isready":
            print("readyok")
        elif command == "setoption" and words[0] == "seed":
            lot = random.Random(int(words[1]) or None)
        elif command == "position":
            state = reached(words)
        elif command == "go":
            move, scores = best(state, lot)
            print("info line 1 scores", ",".join(map(str, scores)), "moves", move)
            print("bestmove", move)
        elif command == "quit":
            break
        elif command not in ("", "newgame", "stop"):
            print("error no such command")
    except (ValueError, IndexError, AttributeError) as error:
        print("error", " ".join(str(error).split()))
    sys.stdout.flush()
