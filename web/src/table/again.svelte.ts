// Showing again what was laid: tile after tile, in the order in which they came.

const PACE = 800 // milliseconds a tile

export class Again {
  shown = $state(-1) // so many tiles are shown; -1: all, as nothing is shown again
  private timer = 0

  play(count: number): void {
    this.stop()
    this.shown = 0
    this.timer = window.setInterval(() => {
      if (++this.shown > count) this.stop()
    }, PACE)
  }

  stop(): void {
    clearInterval(this.timer)
    this.shown = -1
  }
}
