// Keeps the page itself at hand, so that it opens without a connection. Games are never kept,
// and whatever the network gives comes first, so an old script never meets a new server:
// only files whose names carry their own hash are taken from here without asking.
const KEPT = 'tegel-2'

self.addEventListener('install', (event) => {
  self.skipWaiting()
  event.waitUntil(caches.open(KEPT).then((cache) => cache.add('/')))
})

self.addEventListener('activate', (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(names.filter((name) => name !== KEPT).map((name) => caches.delete(name))))
      .then(() => self.clients.claim()),
  )
})

self.addEventListener('fetch', (event) => {
  const { request } = event
  const url = new URL(request.url)
  if (request.method !== 'GET' || url.origin !== location.origin) return
  if (url.pathname.startsWith('/api') || url.pathname === '/worker.js') return
  event.respondWith(url.pathname.startsWith('/assets/') ? hashed(request) : fresh(request))
})

// Your turn, while the page was away. One message a room stands; where the page is seen, it tells.
self.addEventListener('push', (event) => {
  const { text, room, count } = event.data.json()
  event.waitUntil(told(text, room, count))
})

async function told(text, room, count) {
  await navigator.setAppBadge?.(count).catch(() => undefined)
  const pages = await self.clients.matchAll({ type: 'window' })
  if (pages.some((page) => page.focused && new URL(page.url).pathname === `/r/${room}`)) return
  await self.registration.showNotification('Tegel', { body: text, tag: room, icon: '/icon-192.png', data: `/r/${room}` })
}

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(shown(event.notification.data))
})

async function shown(path) {
  const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const open = pages.find((page) => new URL(page.url).pathname === path)
  await (open ? open.focus() : self.clients.openWindow(path))
}

async function hashed(request) {
  const cache = await caches.open(KEPT)
  const found = await cache.match(request)
  if (found) return found
  const response = await fetch(request)
  if (response.ok) await cache.put(request, response.clone())
  return response
}

async function fresh(request) {
  const page = request.mode === 'navigate'
  const cache = await caches.open(KEPT)
  try {
    const response = await fetch(request)
    if (response.ok) await cache.put(page ? '/' : request, response.clone())
    return response
  } catch (error) {
    const found = await cache.match(page ? '/' : request)
    if (found) return found
    throw error
  }
}
