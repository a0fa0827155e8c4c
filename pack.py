import sys
from tegel import games
from tegel.game import game_of
for v in ("duo","two","three","classic","teams"):
    s=games.load("blokus").start(v)
    print(*game_of(s).kernel.pack(s), file=open(f"/tmp/bb/{v}.txt","w"))
