// Paints as properties of the page: a game's colours by name, in the theme shown.

const plain = (name: string) => name.replaceAll('.', '-')

export const fillOf = (name: string): string => `var(--${plain(name)}-fill)`
export const edgeOf = (name: string): string => `var(--${plain(name)}-edge)`
export const property = (name: string, part: 'fill' | 'edge'): string => `--${plain(name)}-${part}`
