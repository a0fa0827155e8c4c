// Talking to the server: plain requests, and a socket that comes back by itself.

import { self } from './me.svelte'
import type { Error as Answer, Me } from './wire'
import { refusal, t } from './words.svelte'

export class Refused extends Error {
  /** `why`: all that the server said. */
  constructor(
    text: string,
    readonly why: Partial<Answer>,
  ) {
    super(text)
  }
}

let known: Promise<unknown> | null = null

/** Who we are to the server: asked first, since two first questions at once would make us two
 * people, and one of them would have our seat. */
export function me(): Promise<Me> {
  const asked = answer<Me>('/me').then((found) => {
    self.handle = found.handle ?? ''
    self.docs = found.docs ?? false
    return found
  })
  known ??= asked.catch(() => (known = null))
  return asked
}

/** The JSON answer to a request; a refusal is one sentence. */
export async function api<T>(
  path: string,
  body?: unknown,
  method = body ? 'POST' : 'GET',
  signal: AbortSignal | null = null,
): Promise<T> {
  if (method !== 'GET') await (known ?? me().catch(() => null))
  return answer<T>(path, body, method, signal)
}

async function answer<T>(path: string, body?: unknown, method = 'GET', signal: AbortSignal | null = null): Promise<T> {
  const text = typeof body === 'string'
  const response = await fetch(`/api${path}`, {
    method,
    signal,
    headers: body === undefined ? {} : { 'content-type': text ? 'text/plain' : 'application/json' },
    body: body === undefined ? null : text ? body : JSON.stringify(body),
  }).catch((error: unknown) => {
    throw signal?.aborted ? error : new Error(t('unanswered'))
  })
  if (!response.ok) {
    const answer = ((await response.json().catch(() => null)) ?? {}) as Partial<Answer>
    throw new Refused(refusal(answer.code ?? 'failed', answer.text ?? response.statusText, answer.args), answer)
  }
  return (await response.json()) as T
}

/** Why something did not come about, in a sentence. */
export const reason = (error: unknown): string => (error instanceof Error ? error.message : String(error))

const HEARTBEAT = 20_000
const PATIENCE = [500, 1000, 2000, 4000, 8000] // between one try and the next

/** The answer to a question that is asked again until somebody hears it. */
export async function lasting<T>(ask: () => Promise<T>, missed: () => void = () => undefined): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      return await ask()
    } catch (error) {
      if (error instanceof Refused) throw error
      missed()
      await new Promise((wake) => setTimeout(wake, PATIENCE[Math.min(tries, PATIENCE.length - 1)]))
    }
  }
}

/** A socket to one room or study. It asks for what it missed whenever it comes back. */
export class Socket<In, Out> {
  private socket: WebSocket | null = null
  private tries = 0
  private timer = 0
  private beat = 0
  private closed = false

  constructor(
    private readonly path: string,
    private readonly greeting: () => In,
    private readonly receive: (message: Out) => void,
    private readonly connected: (on: boolean) => void,
  ) {
    this.open()
    addEventListener('online', this.hurry)
    document.addEventListener('visibilitychange', this.hurry)
  }

  send(message: In | { t: 'ping' }): boolean {
    if (this.socket?.readyState !== WebSocket.OPEN) return false
    this.socket.send(JSON.stringify(message))
    return true
  }

  close(): void {
    this.closed = true
    clearTimeout(this.timer)
    clearInterval(this.beat)
    removeEventListener('online', this.hurry)
    document.removeEventListener('visibilitychange', this.hurry)
    this.socket?.close()
  }

  private readonly hurry = (): void => {
    if (!this.closed && this.socket?.readyState === WebSocket.CLOSED && !document.hidden) {
      clearTimeout(this.timer)
      this.open()
    }
  }

  private open(): void {
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws'
    const socket = new WebSocket(`${scheme}://${location.host}/api${this.path}`)
    this.socket = socket
    socket.onopen = () => {
      this.tries = 0
      this.send(this.greeting())
      this.connected(true)
      clearInterval(this.beat)
      this.beat = window.setInterval(() => this.send({ t: 'ping' }), HEARTBEAT)
    }
    socket.onmessage = (event) => this.receive(JSON.parse(event.data as string) as Out)
    socket.onclose = () => {
      clearInterval(this.beat)
      if (this.closed) return
      this.connected(false)
      const wait = PATIENCE[Math.min(this.tries++, PATIENCE.length - 1)]!
      this.timer = window.setTimeout(() => this.open(), wait * (0.7 + 0.6 * Math.random()))
    }
  }
}
