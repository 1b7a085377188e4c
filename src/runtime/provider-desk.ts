/** The providers of the project: which of them can be used, why the others cannot, and a call that tries one. */
import { type ProviderStatus, type ProviderTest, providerStatuses, testProvider } from '../providers/index.ts'
import type { Project } from './project.ts'

export type { ProviderStatus, ProviderTest } from '../providers/index.ts'

export interface ProviderDesk {
  list(): Promise<{ readonly default: string; readonly providers: readonly ProviderStatus[] }>
  /** asks the model something that has nothing to do with the data */
  test(id: string, signal?: AbortSignal): Promise<ProviderTest>
}

export const providerDesk = ({ providers, env }: Pick<Project, 'providers' | 'env'>): ProviderDesk => ({
  list: async () => ({ default: providers.default, providers: await providerStatuses(providers, env) }),
  test: (id, signal) => testProvider(providers, id, env, signal === undefined ? {} : { signal }),
})
