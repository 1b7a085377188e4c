/** File name patterns: `*` and `?` inside one step of a path, `**` over steps. Time grows with pattern times path, whatever they hold. */

export const isGlob = (path: string): boolean => /[*?]/.test(path)

/** The folder that everything a pattern can match lies below, and the rest of the pattern. */
export function globBase(pattern: string): { readonly base: string; readonly rest: string } {
  const steps = pattern.split('/')
  const at = steps.findIndex(isGlob)
  const base = steps.slice(0, at).join('/')
  return { base: base === '' ? (pattern.startsWith('/') ? '/' : '.') : base, rest: steps.slice(at).join('/') }
}

export function matchesGlob(path: string, pattern: string): boolean {
  return steps(path.split('/'), pattern.split('/'))
}

function steps(path: readonly string[], pattern: readonly string[]): boolean {
  let reached = new Set([0])
  for (const step of pattern) {
    const next = new Set<number>()
    for (const at of reached) {
      if (step === '**') for (let to = at; to <= path.length; to += 1) next.add(to)
      else if (at < path.length && inStep(path[at] as string, step)) next.add(at + 1)
    }
    reached = next
  }
  return reached.has(path.length)
}

function inStep(text: string, pattern: string): boolean {
  let reached = new Set([0])
  for (const char of pattern) {
    const next = new Set<number>()
    for (const at of reached) {
      if (char === '*') for (let to = at; to <= text.length; to += 1) next.add(to)
      else if (at < text.length && (char === '?' || text[at] === char)) next.add(at + 1)
    }
    reached = next
  }
  return reached.has(text.length)
}
