/** Our own tables: once as types for the query builder, once declared for the migration; the compiler keeps the two equal. */
import type { Generated, GeneratedAlways } from 'kysely'
import { DETECTION_STRATEGIES, PROPOSAL_STATES, PROPOSAL_TYPES, SEVERITY_WEIGHT, UNLABELLED } from '../contracts/index.ts'

export interface Tables {
  log_templates: {
    id: Generated<number>
    cluster_id: string
    template: string
    event_name: string
    sample_line: string
    hits: number
    first_seen: string
    last_seen: string
    severity: string
    service: string
    merged_into: string | null
    created_at: string
    updated_at: string
  }
  log_template_slots: {
    id: Generated<number>
    template_id: number
    slot_idx: number
    name: string
    type: string
    subtype: string
    distinct_count: number
    sample_count: number
    top_values: string
    pii_risk: number
    tier: string
  }
  log_entity_edges: {
    id: Generated<number>
    src: string
    dst: string
    src_kind: string
    dst_kind: string
    pmi: number
    cooccurrence_count: number
    temporal_lead_ratio: number
    directed: number
    lag_ms_p50: number | null
    lag_ms_p95: number | null
    granger_p: number | null
    te_z: number | null
    n: number | null
    p: number | null
    q: number | null
    lead_lower: number | null
    explained_by: string | null
    stated_verdict: string | null
    verdict: string
    failed_conditions: string
    shared_entity: string | null
    created_at: string
  }
  log_events: {
    id: Generated<number>
    run: string
    cluster_id: string
    ts_ms: number
    service: string
    trace: string
    entities: string
    severity: string
    file: string
    byte_offset: number
  }
  log_hmm_models: {
    id: Generated<number>
    service: string
    states: number
    body: string
    created_at: string
  }
  ontology_evolution_proposals: {
    pid: string
    proposal_id: GeneratedAlways<string>
    proposal_type: string
    title: string
    name: string
    candidate_turtle: string
    detection_strategy: string | null
    confidence: number
    consequence: number
    lag_ms_p50: number | null
    lag_ms_p95: number | null
    status: string
    source: string
    tier: string
    evidence: string
    evidence_sample: string
    edits: string
    reviewer_id: string | null
    review_note: string | null
    reviewed_at: string | null
    merged_into: string | null
    version: number
    created_at: string
    updated_at: string
  }
  proposal_events: {
    id: Generated<number>
    pid: string
    action: string
    from_status: string
    to_status: string
    reviewer_id: string
    note: string | null
    edits: string
    via: string | null
    at: string
  }
  proposal_clusters: {
    cluster_id: string
    pid: string
    role: string
  }
  ontology_metadata: {
    id: Generated<number>
    target_type: string | null
    table_name: string | null
    column_name: string | null
    semantic_type: string | null
    label: string | null
    description: string | null
    synonyms: string | null
    sensitivity_tier: string | null
    is_event_class: number | null
    has_key_columns: string | null
    is_transitive: number | null
    is_symmetric: number | null
    is_functional: number | null
    is_inverse_functional: number | null
    inverse_of: string | null
    disjoint_group: string | null
    created_at: string | null
    author: string | null
    proposed: number | null
    updated_at: string | null
  }
  ontology_metadata_history: {
    id: Generated<number>
    table_name: string
    column_name: string | null
    author: string
    proposed: number
    before: string | null
    after: string
    at: string
  }
  sessions: {
    id: string
    version: number
    body: string
    updated_at: string | null
  }
  search_runs: {
    run_id: string
    ceiling: string
    caller: string
    body: string
    created_at: string
  }
  schema_migrations: {
    version: number
    name: string
    applied_at: string
  }
}

export type TableName = keyof Tables

export const PROPOSALS = 'ontology_evolution_proposals' satisfies TableName

const KEY = 'INTEGER PRIMARY KEY'
const WORDS = "TEXT NOT NULL DEFAULT ''"
const COUNT = 'INTEGER NOT NULL DEFAULT 0'
const FIGURE = 'REAL NOT NULL DEFAULT 0'
const LIST = "TEXT NOT NULL DEFAULT '[]'"
const OBJECT = "TEXT NOT NULL DEFAULT '{}'"
const text = (value: string) => `TEXT NOT NULL DEFAULT '${value}'`

/**
 * Every column is NULL-tolerant or has a default, so that one which an older store lacks can be added in place.
 * Columns beyond the written contract: event_name, shared_entity, run, via.
 */
export const COLUMNS: { readonly [T in TableName]: { readonly [C in keyof Tables[T]]: string } } = {
  log_templates: {
    id: KEY, cluster_id: WORDS, template: WORDS, event_name: WORDS, sample_line: WORDS, hits: COUNT, first_seen: WORDS,
    last_seen: WORDS, severity: text('INFO'), service: WORDS, merged_into: 'TEXT', created_at: WORDS, updated_at: WORDS,
  },
  log_template_slots: {
    id: KEY, template_id: 'INTEGER REFERENCES log_templates(id) ON DELETE CASCADE', slot_idx: COUNT, name: WORDS,
    type: text('FREETEXT'), subtype: WORDS, distinct_count: COUNT, sample_count: COUNT, top_values: LIST, pii_risk: COUNT,
      tier: text(UNLABELLED),
  },
  log_entity_edges: {
    id: KEY, src: WORDS, dst: WORDS, src_kind: text('event'), dst_kind: text('event'), pmi: FIGURE, cooccurrence_count: COUNT,
    temporal_lead_ratio: FIGURE, directed: COUNT, lag_ms_p50: 'REAL', lag_ms_p95: 'REAL', granger_p: 'REAL', te_z: 'REAL',
    n: 'INTEGER', p: 'REAL', q: 'REAL', lead_lower: 'REAL', explained_by: 'TEXT', stated_verdict: 'TEXT', verdict: text('LOG_RELATIONSHIP'), failed_conditions: LIST, shared_entity: 'TEXT',
      created_at: WORDS,
  },
  log_events: {
    id: KEY, run: WORDS, cluster_id: WORDS, ts_ms: FIGURE, service: WORDS, trace: WORDS, entities: LIST, severity: text('INFO'),
    file: WORDS, byte_offset: COUNT,
  },
  log_hmm_models: { id: KEY, service: WORDS, states: COUNT, body: OBJECT, created_at: WORDS },
  ontology_evolution_proposals: {
    pid: 'TEXT NOT NULL PRIMARY KEY',
    // older programs ask for the id under this name
    proposal_id: 'TEXT GENERATED ALWAYS AS (pid) VIRTUAL',
    proposal_type: 'TEXT NOT NULL', title: WORDS, name: WORDS, candidate_turtle: WORDS, detection_strategy: 'TEXT',
    confidence: FIGURE,
    // nobody judged it: the weight of an everyday line, so that it is shown but leads nothing
    consequence: `REAL NOT NULL DEFAULT ${SEVERITY_WEIGHT.INFO}`,
    lag_ms_p50: 'REAL', lag_ms_p95: 'REAL', status: text('PENDING'), source: text('legacy'), tier: text(UNLABELLED),
    evidence: OBJECT, evidence_sample: WORDS, edits: OBJECT, reviewer_id: 'TEXT', review_note: 'TEXT', reviewed_at: 'TEXT',
    merged_into: 'TEXT',
    version: 'INTEGER NOT NULL DEFAULT 1', created_at: WORDS, updated_at: WORDS,
  },
  proposal_events: {
    id: KEY, pid: WORDS, action: WORDS, from_status: WORDS, to_status: WORDS, reviewer_id: WORDS, note: 'TEXT', edits: OBJECT,
    via: 'TEXT', at: WORDS,
  },
  // which proposals speak of a template: derived from their evidence, so that a decision need not read them all
  proposal_clusters: { cluster_id: WORDS, pid: WORDS, role: WORDS },
  ontology_metadata: {
    id: KEY, target_type: 'TEXT', table_name: 'TEXT', column_name: 'TEXT', semantic_type: 'TEXT', label: 'TEXT',
    description: 'TEXT', synonyms: 'TEXT', sensitivity_tier: 'TEXT', is_event_class: 'INTEGER', has_key_columns: 'TEXT',
    is_transitive: 'INTEGER',
    is_symmetric: 'INTEGER', is_functional: 'INTEGER', is_inverse_functional: 'INTEGER', inverse_of: 'TEXT',
    disjoint_group: 'TEXT', created_at: 'TEXT',
    // NULL in rows of an older program: people wrote those by hand, so nobody counts as the author but a person
    author: 'TEXT', proposed: 'INTEGER', updated_at: 'TEXT',
  },
  ontology_metadata_history: {
    id: KEY, table_name: WORDS, column_name: 'TEXT', author: WORDS, proposed: COUNT, before: 'TEXT', after: OBJECT, at: WORDS,
  },
  sessions: { id: 'TEXT NOT NULL PRIMARY KEY', version: COUNT, body: OBJECT, updated_at: 'TEXT' },
  search_runs: { run_id: 'TEXT NOT NULL PRIMARY KEY', ceiling: text(UNLABELLED), caller: WORDS, body: OBJECT, created_at: WORDS },
  schema_migrations: { version: KEY, name: WORDS, applied_at: WORDS },
}

/** Indexes by name; `unique` ones are part of the contract, the others only make reading quick. */
export const INDEXES: readonly { name: string; table: TableName; columns: readonly string[]; unique?: boolean }[] = [
  { name: 'log_templates_cluster', table: 'log_templates', columns: ['cluster_id'], unique: true },
  { name: 'log_template_slots_place', table: 'log_template_slots', columns: ['template_id', 'slot_idx'], unique: true },
  { name: 'log_entity_edges_ends', table: 'log_entity_edges', columns: ['src', 'dst'], unique: true },
  { name: 'log_hmm_models_service', table: 'log_hmm_models', columns: ['service'], unique: true },
  { name: 'log_events_cluster', table: 'log_events', columns: ['cluster_id', 'ts_ms'] },
  { name: 'log_events_run', table: 'log_events', columns: ['run'] },
  { name: 'proposals_kind_name', table: PROPOSALS, columns: ['proposal_type', 'name'] },
  { name: 'proposals_merged', table: PROPOSALS, columns: ['merged_into'] },
  { name: 'proposal_clusters_place', table: 'proposal_clusters', columns: ['cluster_id', 'pid', 'role'], unique: true },
  { name: 'proposal_clusters_pid', table: 'proposal_clusters', columns: ['pid'] },
  { name: 'proposal_events_pid', table: 'proposal_events', columns: ['pid', 'id'] },
  { name: 'ontology_metadata_place', table: 'ontology_metadata', columns: ['table_name', 'column_name'] },
  { name: 'metadata_history_place', table: 'ontology_metadata_history', columns: ['table_name', 'column_name'] },
]

/** The words each proposal column may hold. */
export const PROPOSAL_WORDS = {
  proposal_type: PROPOSAL_TYPES,
  detection_strategy: DETECTION_STRATEGIES,
  status: PROPOSAL_STATES,
} as const satisfies Partial<Record<keyof Tables[typeof PROPOSALS], readonly string[]>>
