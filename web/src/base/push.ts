// Being told of one's turn while the page is shut, where the server and the browser can do that.

import { api, me } from './net'
import { prefs } from './prefs.svelte'

const bytes = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0))

async function registration(): Promise<ServiceWorkerRegistration | null> {
  if (!('serviceWorker' in navigator) || !('PushManager' in window)) return null
  return (await navigator.serviceWorker.getRegistration()) ?? null
}

/** Have this browser told; whether that can be. */
export async function beTold(): Promise<boolean> {
  const [{ push = '' }, worker] = [await me(), await registration()]
  if (!push || !worker) return false
  const device = await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytes(push) })
  const { endpoint, keys } = device.toJSON()
  await api('/me/devices', { endpoint, key: keys?.['p256dh'], auth: keys?.['auth'], language: prefs.language }, 'PUT')
  return true
}

/** Have it told no more. */
export async function beLeftAlone(): Promise<void> {
  const device = await (await registration())?.pushManager.getSubscription()
  if (!device) return
  await api('/me/devices', { endpoint: device.endpoint }, 'DELETE').catch(() => undefined)
  await device.unsubscribe()
}
