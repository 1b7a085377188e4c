/** Which proposals speak of a template: an event as its class, an edge as cause or effect. Kept beside the evidence it is read from. */
import { objectOf } from './json.ts'
import { PROPOSALS } from './schema.ts'
import { type Connection, query } from './sqlite-dialect.ts'

export type ClusterRole = 'class' | 'cause' | 'effect'

export interface ClusterUse {
  readonly pid: string
  readonly role: ClusterRole
}

const IDS_PER_STATEMENT = 1000

/** Says anew what one proposal speaks of. */
export function saveClusters(store: Connection, pid: string, evidence: Readonly<Record<string, unknown>>): void {
  store.change(query.deleteFrom('proposal_clusters').where('pid', '=', pid))
  const { clusters, cause_cluster: cause, effect_cluster: effect } = evidence
  const uses: [unknown, ClusterRole][] = [
    ...(Array.isArray(clusters) ? [...new Set<unknown>(clusters)] : []).map((id): [unknown, ClusterRole] => [id, 'class']),
    [cause, 'cause'],
    [effect, 'effect'],
  ]
  for (const [id, role] of uses) {
    if (typeof id === 'string' && id !== '') store.change(query.insertInto('proposal_clusters').values({ cluster_id: id, pid, role }))
  }
}

/** Ids of the proposals that speak of any of these templates, in one of these roles; sorted, each once. */
export function proposalsOver(store: Connection, clusters: readonly string[], roles: readonly ClusterRole[]): string[] {
  const found = new Set<string>()
  for (let from = 0; from < clusters.length; from += IDS_PER_STATEMENT) {
    const some = clusters.slice(from, from + IDS_PER_STATEMENT)
    const ask = query.selectFrom('proposal_clusters').select('pid').where('cluster_id', 'in', some).where('role', 'in', roles)
    for (const { pid } of store.rows(ask)) found.add(pid)
  }
  return [...found].toSorted()
}

/** For a store whose proposals are older than this table. */
export function indexClusters(store: Connection): void {
  for (const { pid, evidence } of store.rows(query.selectFrom(PROPOSALS).select(['pid', 'evidence']))) {
    saveClusters(store, pid, objectOf(evidence))
  }
}
