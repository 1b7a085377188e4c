/** How each provider is spoken to: which settings it needs, where it is, and the model object of its SDK. */
import type { LanguageModel, generateText } from 'ai'
import type { CatalogueEntry, Env } from './catalogue.ts'

type Options = NonNullable<Parameters<typeof generateText>[0]['providerOptions']>

export interface Adapter {
  /** the first setting that is missing, by name, or null */
  missing(entry: CatalogueEntry, env: Env): string | null
  baseUrl(entry: CatalogueEntry, env: Env): string
  /** the variable that holds its key, if it has one */
  readonly keyName: string | null
  model(asked: Asked): Promise<LanguageModel>
  readonly options: Options
}

interface Asked {
  readonly entry: CatalogueEntry
  readonly env: Env
  readonly baseURL: string
  readonly fetch: typeof fetch
}

const set = (env: Env, name: string): string => (env[name] ?? '').trim()
const firstUnset = (env: Env, names: readonly string[]): string | null => names.find((name) => set(env, name) === '') ?? null
// what was asked is nobody's to keep
const NOT_STORED: Options = { openai: { store: false }, azure: { store: false } }

const openai: Adapter = {
  missing: ({ env_keys: names }, env) => firstUnset(env, names),
  baseUrl: ({ base_url_default: url }) => url ?? 'https://api.openai.com/v1',
  keyName: 'OPENAI_API_KEY',
  options: NOT_STORED,
  async model({ entry, env, baseURL, fetch }) {
    const { createOpenAI } = await import('@ai-sdk/openai')
    return createOpenAI({ apiKey: set(env, 'OPENAI_API_KEY'), baseURL, fetch })(entry.model)
  },
}

const anthropic: Adapter = {
  missing: ({ env_keys: names }, env) => firstUnset(env, names),
  baseUrl: ({ base_url_default: url }) => url ?? 'https://api.anthropic.com/v1',
  keyName: 'ANTHROPIC_API_KEY',
  options: {},
  async model({ entry, env, baseURL, fetch }) {
    const { createAnthropic } = await import('@ai-sdk/anthropic')
    return createAnthropic({ apiKey: set(env, 'ANTHROPIC_API_KEY'), baseURL, fetch })(entry.model)
  },
}

const azure: Adapter = {
  // who gives the whole address needs no name of a resource
  missing: ({ env_keys: names, base_url_default: url }, env) =>
    firstUnset(env, url === undefined ? names : names.filter((name) => name !== 'AZURE_RESOURCE_NAME')),
  baseUrl: ({ base_url_default: url }, env) => url ?? `https://${set(env, 'AZURE_RESOURCE_NAME')}.openai.azure.com/openai`,
  keyName: 'AZURE_API_KEY',
  options: NOT_STORED,
  async model({ entry, env, baseURL, fetch }) {
    const { createAzure } = await import('@ai-sdk/azure')
    return createAzure({ apiKey: set(env, 'AZURE_API_KEY'), baseURL, fetch })(entry.model)
  },
}

/** With an API key, or as the service account that Google's own library finds on the machine. */
const vertex: Adapter = {
  missing: ({ env_keys: names }, env) => (set(env, 'GOOGLE_VERTEX_API_KEY') !== '' ? null : firstUnset(env, names)),
  baseUrl({ base_url_default: url }, env) {
    if (url !== undefined) return url
    if (set(env, 'GOOGLE_VERTEX_API_KEY') !== '') return 'https://aiplatform.googleapis.com/v1/publishers/google'
    const [project, location] = [set(env, 'GOOGLE_VERTEX_PROJECT'), set(env, 'GOOGLE_VERTEX_LOCATION')]
    const host = location === 'global' ? 'aiplatform' : `${location}-aiplatform`
    return `https://${host}.googleapis.com/v1beta1/projects/${project}/locations/${location}/publishers/google`
  },
  keyName: 'GOOGLE_VERTEX_API_KEY',
  options: {},
  async model({ entry, env, baseURL, fetch }) {
    const { createVertex } = await import('@ai-sdk/google-vertex')
    const apiKey = set(env, 'GOOGLE_VERTEX_API_KEY')
    const account = { project: set(env, 'GOOGLE_VERTEX_PROJECT'), location: set(env, 'GOOGLE_VERTEX_LOCATION') }
    return createVertex({ ...(apiKey === '' ? account : { apiKey }), baseURL, fetch })(entry.model)
  },
}

/** Whatever speaks OpenAI's chat completions: Ollama, llama.cpp, vLLM, LM Studio. A key is sent where one is set. */
const compatible = (urlName: string | null, keyName: string | null): Adapter => ({
  missing: ({ base_url_default: url }, env) => (url !== undefined || urlName === null ? null : firstUnset(env, [urlName])),
  // the environment wins over the file
  baseUrl: ({ base_url_default: url = '' }, env) => (urlName === null ? url : set(env, urlName) || url),
  keyName,
  options: {},
  async model({ entry, env, baseURL, fetch }) {
    const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
    const apiKey = keyName === null ? '' : set(env, keyName)
    const provider = createOpenAICompatible({
      name: 'compatible', baseURL, fetch, includeUsage: true, supportsStructuredOutputs: true, ...(apiKey === '' ? {} : { apiKey }),
    })
    return provider(entry.model === '' ? 'default' : entry.model) // a server of one model takes any name
  },
})

const ADAPTERS: Readonly<Record<string, Adapter>> = {
  openai, anthropic, azure, vertex,
  ollama: compatible(null, null),
  'openai-compatible': compatible('OPENAI_COMPATIBLE_BASE_URL', 'OPENAI_COMPATIBLE_API_KEY'),
}

export const ADAPTER_IDS: readonly string[] = Object.keys(ADAPTERS)

export function adapterOf(id: string): Adapter {
  const adapter = ADAPTERS[id]
  if (adapter === undefined) throw new Error(`no adapter for ${id}`)
  return adapter
}
