// A study as this browser knows it: the tree, where one is in it, and what is thought there.

import { api, Socket } from '../base/net'
import type { Error, Judge, Judged, Rested, StudyNode, Studied, Study, Studying, Thought } from '../base/wire'
import { forward, nearest, played, stepsTo, written, type Path } from './tree'

const TOLD = 4000 // milliseconds that a refusal is told
const AGAIN = 10_000 // until it is asked whether the engine still rests for the sake of a game
const GAMES = ['rests', 'running', 'eye'] // why it does
const KNOWN = 200 // positions that are kept

export class StudyModel {
  study = $state.raw<Study | null>(null)
  path = $state.raw<Path>([])
  node = $state.raw<StudyNode | null>(null) // the position shown: soon that of the path
  thought = $state.raw<Thought | null>(null)
  rested = $state.raw<Rested | null>(null) // why nothing is thought
  report = $state.raw<Judged | null>(null)
  unjudged = $state.raw<Error | null>(null) // why there is no report yet, though it was asked for
  error = $state.raw<Error | null>(null)
  lost = $state.raw<Error | null>(null) // there is no such study
  online = $state(true)
  pending = $state(false) // a move was sent and not answered yet
  refusals = $state(0)
  private readonly nodes = new Map<string, Promise<StudyNode>>()
  private readonly socket: Socket<Studying, Studied>
  private asked: { path: Path; move: string } | null = null
  private waiting: string[] = [] // changes that are yet to be sent,
  private sent = false // and whether one was, that is not answered
  private thinking = ''
  private judging: Judge | null = null

  constructor(readonly id: string, from: Path) {
    this.path = from
    this.socket = new Socket<Studying, Studied>(
      `/studies/${id}/socket`,
      () => ({ t: 'follow', rows: this.study?.rows ?? -1 }),
      (message) => this.receive(message),
      (on) => {
        this.online = on
        this.pending = this.sent = false
        this.waiting = []
        if (!on) return
        if (this.thinking) this.socket.send({ t: 'think', path: this.thinking })
        if (this.judging) this.socket.send(this.judging)
      },
    )
  }

  get yours(): boolean {
    return this.study?.yours ?? false
  }

  go(path: Path): void {
    this.path = path
  }

  close(): void {
    this.socket.close()
  }

  /** Show the position of a path as soon as it is known, and look up the next. */
  async show(path: Path): Promise<void> {
    const study = this.study
    if (!study) return
    try {
      const node = await this.lookAt(path)
      if (written(this.path) === written(path) && this.study) this.node = node
      void this.lookAt(forward(study.line, path)).catch(() => undefined)
    } catch (error) {
      this.trouble({ t: 'error', code: 'failed', text: String((error as globalThis.Error).message) })
    }
  }

  /** The position of a path, and what may be done there; fetched once. */
  lookAt(path: Path): Promise<StudyNode> {
    const key = (stepsTo(this.study!.line, path) ?? []).map(({ move }) => move).join('\n')
    let found = this.nodes.get(key)
    if (!found) {
      found = api<StudyNode>(`/studies/${this.id}/nodes/${written(path)}`)
      this.nodes.set(key, found)
      found.catch(() => this.nodes.delete(key))
      if (this.nodes.size > KNOWN) this.nodes.delete(this.nodes.keys().next().value!)
    }
    return found
  }

  // Changing

  /** Change the study, after what was sent before is answered. */
  private change(text: string): void {
    this.error = null
    this.waiting.push(text)
    this.next()
  }

  private next(): void {
    const text = this.waiting[0]
    if (this.sent || text === undefined || !this.study) return
    this.sent = this.socket.send({ t: 'change', rows: this.study.rows, text })
    if (this.sent) this.waiting.shift()
    else {
      this.waiting = []
      this.trouble({ t: 'error', code: 'offline', text: '' })
    }
  }

  /** What was sent is answered. */
  private answered(): void {
    this.sent = false
    this.next()
  }

  play(move: string): void {
    if (!this.study || this.pending) return
    this.asked = { path: this.path, move }
    this.pending = true
    this.change(`play ${written(this.path)}\n${move}`)
    if (this.error) this.pending = false
  }

  note(path: Path, text: string): void {
    this.change(`note ${written(path)} ${text.replace(/\s+/g, ' ').trim()}`.trim())
  }

  promote(path: Path): void {
    this.asked = null
    const moves = stepsTo(this.study!.line, path)?.map(({ move }) => move) ?? []
    this.following = moves
    this.change(`promote ${written(path)}`)
  }

  remove(path: Path): void {
    this.change(`delete ${written(path)}`)
  }

  undo(): void {
    this.change('undo')
  }

  private following: string[] | null = null

  // Thinking

  think(path: Path | null): void {
    const wanted = path ? written(path) : ''
    if (wanted === this.thinking) return
    this.thinking = wanted
    this.thought = this.rested = null
    this.socket.send(path ? { t: 'think', path: wanted } : { t: 'rest' })
  }

  /** Go on where the engine rested, if that is still wanted: the game may be over. */
  private thinkAgain(since: Rested): void {
    if (this.rested === since) this.socket.send({ t: 'think', path: since.path })
  }

  /** Ask for the report on the game: to `begin`, it is made if nobody has asked before. */
  judge(begin: boolean): void {
    this.judging = { t: 'judge', begin }
    this.socket.send(this.judging)
  }

  private trouble(error: Error): void {
    this.error = error
    this.pending = false
    this.refusals++
    setTimeout(() => {
      if (this.error === error) this.error = null
    }, TOLD)
  }

  private receive(message: Studied): void {
    switch (message.t) {
      case 'study': {
        this.study = message
        this.pending = false
        const { asked, following } = this
        this.asked = this.following = null
        if (following) this.path = found(message, following)
        else if (asked && written(asked.path) === written(this.path)) this.path = played(message.line, asked.path, asked.move)
        if (!stepsTo(message.line, this.path)) this.path = nearest(message.line, this.path)
        this.answered()
        break
      }
      case 'thought':
        if (message.path === this.thinking) {
          this.thought = message
          this.rested = null
        }
        break
      case 'rested':
        if (message.path !== this.thinking) break
        this.rested = message
        if (GAMES.includes(message.code)) setTimeout(() => this.thinkAgain(message), AGAIN)
        break
      case 'judged':
        this.report = message
        this.unjudged = null
        break
      case 'error':
        if (message.code === 'missing' && !this.pending) {
          this.lost = message
          this.close()
        } else if (!this.pending && this.judging && GAMES.includes(message.code)) {
          const { judging } = this
          this.unjudged = judging.begin ? message : null
          setTimeout(() => this.judging === judging && this.socket.send(judging), AGAIN)
        } else {
          this.waiting = []
          this.trouble(message)
          this.answered()
        }
        break
      case 'pong':
        break
    }
  }
}

/** Where moves lead in a tree that was changed. */
function found(study: Study, moves: string[]): Path {
  let path: Path = []
  for (const move of moves) {
    const next = played(study.line, path, move)
    if (next === path) return path
    path = next
  }
  return path
}
