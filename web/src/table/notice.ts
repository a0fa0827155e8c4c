// Your turn: a soft sound and a notification, where they are wanted.

let audio: AudioContext | null = null

function chime(): void {
  audio ??= new AudioContext()
  const start = audio.currentTime
  for (const [pitch, at] of [
    [660, 0],
    [880, 0.12],
  ] as const) {
    const tone = audio.createOscillator()
    const volume = audio.createGain()
    tone.frequency.value = pitch
    volume.gain.setValueAtTime(0, start + at)
    volume.gain.linearRampToValueAtTime(0.08, start + at + 0.02)
    volume.gain.exponentialRampToValueAtTime(0.001, start + at + 0.35)
    tone.connect(volume).connect(audio.destination)
    tone.start(start + at)
    tone.stop(start + at + 0.4)
  }
}

export function alertTurn(text: string, wanted: { sound: boolean; notify: boolean }): void {
  if (wanted.sound) chime()
  if (wanted.notify && document.hidden && 'Notification' in window && Notification.permission === 'granted') {
    new Notification('Tegel', { body: text, icon: '/icon.svg', tag: 'tegel-turn' })
  }
}
