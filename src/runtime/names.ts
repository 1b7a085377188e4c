/** The terms of an answer with the prefixes of the project, for people. What is shortened here can be asked for again. */
import { projectPrefixes, shortText } from '../materialise/index.ts'
import type { Project } from './project.ts'

export function shortNames({ config }: Pick<Project, 'config'>): (term: string) => string {
  const prefixes = projectPrefixes(config.base_iri, config.record_base)
  return (term) => shortText(term, prefixes)
}
