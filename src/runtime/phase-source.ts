/** Which database a phase works over: the one that is named, else the first of the project's own; a bundled example only by name. */
import type { NamedSource, OpenSources } from './open-sources.ts'
import { type Project, isBundled } from './project.ts'

interface Asked {
  readonly source: string | undefined
  readonly flavor: string | undefined
}

export function phaseSource(project: Pick<Project, 'configFile'>, sources: OpenSources, { source, flavor }: Asked): NamedSource | null {
  if (source !== undefined) return sources.find(source, undefined, true)
  const [bundled, own] = [true, false].map((wanted) => sources.configured().filter(({ path }) => isBundled(project, path) === wanted))
  return own?.[0] ?? bundled?.find((each) => each.flavor === flavor && flavor !== undefined) ?? null
}
