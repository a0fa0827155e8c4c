// Finds styles that are not scoped: of the page's stylesheets app.css alone is global.
import { dirname, join, normalize } from 'node:path/posix'
import { parse } from 'svelte/compiler'

const GLOBAL = 'src/app.css'

/** The classes that app.css defines for every page; all others belong to a component. */
export const SHARED = ['button', 'card', 'hidden', 'muted', 'primary', 'quiet']

/** Classes that come from the server: in its texts, such as the rules, and roles of marks. */
export const SERVED = ['dim', 'figures', 'no', 'yes']

/** Return what is wrong with the styles of some files, given by their paths under web. */
export function faults(files) {
  const found = []
  const imported = new Set()
  const given = Object.fromEntries(Object.entries(files).filter(([path]) => path.endsWith('.svelte')).map(([path, text]) => [path, classes(text)]))
  for (const [path, text] of Object.entries(files)) {
    if (!/\.(svelte|ts)$/.test(path)) continue
    for (const [, sheet] of outside(text).matchAll(/import\s+(?:[\w{}\s,*]+from\s+)?'([^']+\.css)'/g))
      if (normalize(join(dirname(path), sheet)) !== GLOBAL) found.push(`${path}: its script imports ${sheet}, which makes it global`)
    if (!path.endsWith('.svelte')) continue
    const style = text.match(/<style[^>]*>(.*?)<\/style>/s)?.[1] ?? ''
    for (const [, sheet] of style.matchAll(/@import '([^']+)'/g)) {
      const at = normalize(join(dirname(path), sheet))
      imported.add(at)
      if (at === GLOBAL || !(at in files)) found.push(`${path}: its style imports ${sheet}`)
      else found.push(...scoped(at, files[at], path, given))
    }
    found.push(...scoped(path, style, path, given))
  }
  for (const [path, text] of Object.entries(files)) {
    if (!path.endsWith('.css')) continue
    if (path === GLOBAL) {
      for (const name of new Set(selectors(text).flatMap(({ plain }) => plain.classes)))
        if (!SHARED.includes(name)) found.push(`${path}: .${name} is no shared class`)
    } else if (!imported.has(path)) found.push(`${path}: no component's style imports it`)
  }
  return [...new Set(found)]
}

/** Return what is wrong with a component's stylesheet: what reaches out of it altogether, and
 * classes of others that nobody has. */
function scoped(path, css, component, given) {
  const found = []
  for (const { text, plain, global } of selectors(css)) {
    if (global.any && !plain.any) found.push(`${path}: ${text} is not scoped`)
    for (const name of global.classes) {
      const others = Object.entries(given).some(([other, names]) => other !== component && names.has(name))
      if (!others && !given[component].has(name) && !SERVED.includes(name)) found.push(`${path}: ${text} names .${name}, which nothing has`)
    }
  }
  if (/-global-/.test(css)) found.push(`${path}: an animation for all pages`)
  return found
}

/** Return the selectors of a stylesheet, and of each what stands outside and inside of :global(). */
function selectors(css) {
  const found = []
  const visit = (node, into) => {
    if (node.type === 'ComplexSelector' && !into) {
      const one = { text: css.slice(node.start - OFFSET, node.end - OFFSET), plain: { any: false, classes: [] }, global: { any: false, classes: [] } }
      found.push(one)
      for (const child of node.children) visit(child, { one, of: one.plain })
      return
    }
    if (node.type === 'PseudoClassSelector' && node.name === 'global') {
      into.one.global.any = true
      for (const child of node.args?.children ?? []) visit(child, { one: into.one, of: into.one.global })
      return
    }
    if (into && ['ClassSelector', 'TypeSelector', 'IdSelector', 'AttributeSelector'].includes(node.type)) into.of.any = true
    if (into && node.type === 'ClassSelector') into.of.classes.push(node.name)
    for (const child of [node.prelude, node.block, node.args, ...(node.children ?? []), ...(node.selectors ?? [])])
      if (child && typeof child === 'object') visit(child, into)
  }
  const sheet = parse(`${OPEN}${css}</style>`, { modern: true }).css
  for (const child of sheet.children) visit(child, null)
  return found
}

const OPEN = '<style>'
const OFFSET = OPEN.length

/** Return a file without its style. */
const outside = (text) => text.replace(/<style.*<\/style>/s, '')

/** Return the classes that a component gives to something, as far as its text says them. */
function classes(text) {
  const markup = outside(text)
  const quoted = [...markup.matchAll(/class=(?:"([^"]*)"|\{([^}]*)\})/g)].flatMap(([, plain = '', code = '']) => `${plain} ${code}`.match(/[A-Za-z][\w-]*/g) ?? [])
  const directives = [...markup.matchAll(/class:([\w-]+)/g)].map(([, name]) => name)
  return new Set([...quoted, ...directives])
}
