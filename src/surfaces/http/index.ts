/** The HTTP surface: an app to inject requests into, and a server around it. */
export { buildApp } from './app.ts'
export { readTokens } from './identity.ts'
export type { Token } from './identity.ts'
export { bugLine, createLog } from './log.ts'
export type { Log } from './log.ts'
export type { App, Parts } from './parts.ts'
export { serve } from './serve.ts'
export type { Serving } from './serve.ts'
