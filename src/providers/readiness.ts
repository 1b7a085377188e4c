/** Whether a provider can be used, and if not, why. Nobody outside this network is asked. */
import { connect } from 'node:net'
import { LIMITS, ServiceError, type Tier, minTier } from '../contracts/index.ts'
import { adapterOf } from './adapters.ts'
import { placeOfUrl, portOf, staysNear } from './address.ts'
import { generate, stream } from './call.ts'
import { type CatalogueEntry, type Env, type ProviderCatalogue, cardOf, entryOf } from './catalogue.ts'
import type { ModelProvider, ProviderCard } from './model.ts'
import { COMMON_SDK, type Installed, isInstalled } from './sdks.ts'

export interface ProviderStatus {
  readonly id: string
  readonly label: string
  readonly model: string
  readonly residency: ProviderCard['residency']
  readonly max_tier: Tier
  readonly ready: boolean
  /** null when it is ready */
  readonly reason: string | null
}

/** `embedded` is no model: it stands here as null. */
export type Readiness =
  | { readonly ready: true; readonly card: ProviderCard; readonly model: ModelProvider | null }
  | { readonly ready: false; readonly card: ProviderCard; readonly reason: string }

export function providerNamed(catalogue: ProviderCatalogue, id: string, env: Env, installed: Installed = isInstalled): Readiness {
  const entry = entryOf(catalogue, id)
  const card = cardOf(id, entry)
  if (id === 'embedded') return { ready: true, card, model: null }
  const reason = unready(id, entry, env, installed)
  if (reason !== null) return { ready: false, card, reason }
  const line = { id, entry, env, adapter: adapterOf(id) }
  return { ready: true, card, model: { ...card, generate: (request) => generate(line, request), stream: (request) => stream(line, request) } }
}

function unready(id: string, entry: CatalogueEntry, env: Env, installed: Installed): string | null {
  const adapter = adapterOf(id)
  const missing = adapter.missing(entry, env)
  if (missing !== null) return `key not set (${missing})`
  const sdk = [COMMON_SDK, entry.package ?? COMMON_SDK].find((name) => !installed(name))
  if (sdk !== undefined) return `SDK not installed (${sdk})`
  const base = URL.parse(adapter.baseUrl(entry, env))
  if (base === null || !/^https?:$/.test(base.protocol)) return `unreachable (${adapter.baseUrl(entry, env) === '' ? 'no address' : 'not an address'})`
  return entry.residency === 'air-gapped' && !staysNear(base) ? unreachable(base) : null
}

const unreachable = (base: URL): string => `unreachable (${placeOfUrl(base)})`

/** Who plans and who words a request. The ceiling of what either may see is the lower one. */
export interface Chosen {
  readonly planner: ProviderCard & { readonly call: ModelProvider | null }
  readonly synthesizer: ProviderCard & { readonly call: ModelProvider | null }
  readonly maxTier: Tier
}

export function providersFor(
  catalogue: ProviderCatalogue,
  asked: string | { planner: string; synthesizer: string } | undefined,
  env: Env,
  installed: Installed = isInstalled,
): Chosen {
  const one = asked ?? catalogue.default
  const names = typeof one === 'string' ? { planner: one, synthesizer: one } : one
  const ready = (id: string) => {
    const state = providerNamed(catalogue, id, env, installed)
    if (state.ready) return { ...state.card, call: state.model }
    throw new ServiceError('provider_not_ready', `the provider ${id} is not ready: ${state.reason}`, { hint: 'name embedded, which needs no model' })
  }
  const [planner, synthesizer] = [ready(names.planner), ready(names.synthesizer)]
  return { planner, synthesizer, maxTier: minTier(planner.maxTier, synthesizer.maxTier) }
}

/** Every provider of the catalogue, in its order. Those near by are knocked at. */
export function providerStatuses(catalogue: ProviderCatalogue, env: Env, installed: Installed = isInstalled): Promise<ProviderStatus[]> {
  return Promise.all(Object.entries(catalogue.providers).map(async ([id, entry]): Promise<ProviderStatus> => {
    const state = providerNamed(catalogue, id, env, installed)
    const reason = state.ready ? (state.model === null ? null : await absent(id, entry, env)) : state.reason
    const { label, model, residency, max_tier } = entry
    return { id, label, model, residency, max_tier, ready: reason === null, reason }
  }))
}

/** Whether nobody listens at an address in our own network; a status is no reason to call anybody outside. */
async function absent(id: string, entry: CatalogueEntry, env: Env): Promise<string | null> {
  const base = new URL(adapterOf(id).baseUrl(entry, env))
  if (!staysNear(base)) return null
  return (await answers(base)) ? null : unreachable(base)
}

function answers(base: URL): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const socket = connect({ host: base.hostname.replace(/^\[|\]$/g, ''), port: portOf(base), timeout: LIMITS.provider_knock_ms })
  socket.once('connect', () => resolve(true))
  socket.once('timeout', () => resolve(false))
  socket.once('error', () => resolve(false))
  return promise.finally(() => socket.destroy())
}
