/** The web console: files read once at start, each under its own route, so that no path of a request ever reaches the disk. */
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { emitPublic } from '../../emit.ts'
import type { App, RouteParts } from '../parts.ts'

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}
const PAGES = ['/ask']
const PAGE = { config: { role: 'anyone' }, schema: { hide: true } } as const

const NOT_BUILT = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Wherefore</title></head>
<body><main><h1>The console is not built</h1>
<p>Run <code>npm run build</code> in the package and start the server again. The API works without it: see
<a href="/openapi.json">/openapi.json</a>.</p></main></body></html>
`

export function consoleRoutes(app: App, { consoleDir = packagedConsole() }: RouteParts): void {
  const files = readConsole(consoleDir)
  const index = files.get('/index.html')
  app.get('/', PAGE, async (_request, reply) => reply.redirect('/ask'))
  for (const page of PAGES) {
    app.get(page, PAGE, async (_request, reply) =>
      reply
        .code(index === undefined ? 503 : 200)
        .type('text/html; charset=utf-8')
        .header('cache-control', 'no-cache')
        .send(emitPublic(index?.body ?? NOT_BUILT)),
    )
  }
  for (const [url, { body, type }] of files) {
    if (url === '/index.html') continue
    // files below assets/ carry a hash of their content in their name
    const cache = url.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache'
    app.get(url, PAGE, async (_request, reply) => reply.type(type).header('cache-control', cache).send(emitPublic(body)))
  }
}

/** From src/surfaces/http/routes as from dist/surfaces/http/routes. */
function packagedConsole(): string {
  const up = import.meta.url.endsWith('.ts') ? '../../../../dist/console' : '../../../console'
  return fileURLToPath(new URL(up, import.meta.url))
}

function readConsole(folder: string): Map<string, { readonly body: Buffer; readonly type: string }> {
  const files = new Map<string, { readonly body: Buffer; readonly type: string }>()
  if (!existsSync(folder)) return files
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted()) {
    const type = TYPES[extname(name)]
    const path = join(folder, name)
    if (type === undefined || !statSync(path).isFile()) continue
    files.set(`/${name.replaceAll('\\', '/')}`, { body: readFileSync(path), type })
  }
  return files
}
