/** IRIs from text: which are well formed, and what a relative one means beside a base. */

/** Characters that no IRI has: controls, spaces, quotes, and the rest that RFC 3987 keeps out. */
const FORBIDDEN = /[\p{Cc} <>"{}|\\^`\ufdd0-\ufdef\ufff0-\uffff]|%(?![0-9A-Fa-f]{2})|\p{Surrogate}/u
const PRIVATE = /[\ue000-\uf8ff\u{f0000}-\u{10ffff}]/u
const PARTS = /^(?:([A-Za-z][A-Za-z0-9+.-]*):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s
const HOST = /^(?:[^@[\]]*@)?(?:\[[0-9A-Fa-f:.vV]+\]|[^:@[\]]*)(?::\d*)?$/

interface Parts {
  readonly scheme: string | undefined
  readonly authority: string | undefined
  readonly path: string
  readonly query: string | undefined
  readonly fragment: string | undefined
}

/** The absolute IRI that a text names, by itself or beside a base; undefined where it names none. */
export function resolveIri(text: string, base?: string): string | undefined {
  const reference = parse(text)
  if (reference === undefined) return undefined
  if (reference.scheme !== undefined) return text
  const from = base === undefined ? undefined : parse(base)
  return from?.scheme === undefined ? undefined : joined(resolve(reference, from))
}

function parse(text: string): Parts | undefined {
  if (FORBIDDEN.test(text)) return undefined
  const [, scheme, authority, path = '', query, fragment] = PARTS.exec(text) ?? []
  if (authority !== undefined && !HOST.test(authority)) return undefined
  if (/[[\]#]/.test(path + (query ?? '') + (fragment ?? ''))) return undefined
  if (PRIVATE.test((authority ?? '') + path + (fragment ?? ''))) return undefined
  // without a scheme, a colon in the first segment would read as one
  if (scheme === undefined && authority === undefined && /^[^/]*:/.test(path)) return undefined
  return { scheme, authority, path, query, fragment }
}

/** RFC 3986, section 5.2. */
function resolve(reference: Parts, base: Parts): Parts {
  const { query, fragment } = reference
  if (reference.authority !== undefined) return { ...reference, scheme: base.scheme, path: withoutDots(reference.path) }
  if (reference.path === '') return { ...base, query: query ?? base.query, fragment }
  if (reference.path.startsWith('/')) return { ...base, path: withoutDots(reference.path), query, fragment }
  const folder = base.authority !== undefined && base.path === '' ? '/' : base.path.replace(/[^/]*$/, '')
  return { ...base, path: withoutDots(folder + reference.path), query, fragment }
}

function withoutDots(path: string): string {
  const kept: string[] = []
  const segments = path.split('/')
  segments.forEach((segment, i) => {
    const last = i === segments.length - 1
    if (segment === '.' || segment === '..') {
      if (segment === '..' && (kept.length > 1 || (kept.length === 1 && kept[0] !== ''))) kept.pop()
      if (last) kept.push('')
    } else kept.push(segment)
  })
  const joinedPath = kept.join('/')
  return path.startsWith('/') && !joinedPath.startsWith('/') ? `/${joinedPath}` : joinedPath
}

const joined = ({ scheme, authority, path, query, fragment }: Parts): string =>
  `${scheme}:${authority === undefined ? '' : `//${authority}`}${path}` +
  `${query === undefined ? '' : `?${query}`}${fragment === undefined ? '' : `#${fragment}`}`
