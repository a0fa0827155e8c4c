// The widget in the browser: what it shows comes from Python, where the rules are.
function render({ model, el }) {
  el.classList.add('tegel-replay')
  el.tabIndex = 0
  const picture = el.appendChild(document.createElement('div'))
  picture.className = 'tegel-picture'
  const bar = el.appendChild(document.createElement('div'))
  bar.className = 'tegel-bar'
  const said = el.appendChild(document.createElement('p'))
  said.setAttribute('aria-live', 'polite')

  const go = (ply) => {
    const within = Math.max(0, Math.min(ply, model.get('last')))
    if (within === model.get('ply')) return
    model.set('ply', within)
    model.save_changes()
  }
  const labels = model.get('labels')
  const button = (text, label, ply) => {
    const made = document.createElement('button')
    made.textContent = text
    made.title = label
    made.setAttribute('aria-label', label)
    made.addEventListener('click', () => go(ply()))
    return made
  }
  const slider = document.createElement('input')
  slider.type = 'range'
  slider.min = '0'
  slider.setAttribute('aria-label', labels[4])
  slider.addEventListener('input', () => go(Number(slider.value)))
  const first = button('«', labels[0], () => 0)
  const back = button('‹', labels[1], () => model.get('ply') - 1)
  const forward = button('›', labels[2], () => model.get('ply') + 1)
  const last = button('»', labels[3], () => model.get('last'))
  bar.append(first, back, slider, forward, last)
  el.addEventListener('keydown', (event) => {
    if (event.target === slider) return
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    if (!step) return
    event.preventDefault()
    event.stopPropagation()
    go(model.get('ply') + step)
  })

  const show = () => {
    const ply = model.get('ply')
    slider.max = String(model.get('last'))
    slider.value = String(ply)
    first.disabled = back.disabled = ply === 0
    forward.disabled = last.disabled = ply === model.get('last')
  }
  const draw = () => {
    picture.innerHTML = model.get('svg')
    said.textContent = model.get('said')
  }
  model.on('change:ply', show)
  model.on('change:svg', draw)
  model.on('change:said', draw)
  show()
  draw()
}

export default { render }
