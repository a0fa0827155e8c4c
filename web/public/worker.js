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
