/** Numbers of the specification, once, under its own words. */
export const LIMITS = {
  question_chars: 2000,
  search_body_bytes: 64 * 1024,
  body_bytes: 256 * 1024,
  json_depth: 32,
  sparql_depth: 64,
  default_k: 5,
  max_k: 200,
  default_row_limit: 200,
  max_row_limit: 10_000,
  default_timeout_ms: 5000,
  max_timeout_ms: 60_000,
  delegated_query_ms: 20_000,
  relation_rows: 20_000,
  evidence_rows: 100_000,
  subgraph_minutes: 15,
  heartbeat_seconds: 15,
  resume_seconds: 15,
  stalled_seconds: 30,
  run_events: 20_000,
  run_listeners: 16,
  searches_at_once: 8,
  searches_waiting: 248,
  sparql_rows: 10_000,
  sparql_at_once: 2,
  sparql_waiting: 62,
  retry_after_seconds: 1,
  premise_tree_depth: 4,
  reason_facts: 4_000_000,
  reason_rounds: 100_000,
  reason_seconds: 600,
  graph_seconds: 30,
  log_line_bytes: 64 * 1024,
  log_batch_line_bytes: 16 * 1024 * 1024,
  log_piece_bytes: 32 * 1024 * 1024,
  log_unpacked_ratio: 200,
  log_unpacked_free_bytes: 64 * 1024 * 1024,
  log_unpacked_bytes: 64 * 1024 * 1024 * 1024,
  log_shapes: 50_000,
  sequence_file_bytes: 256 * 1024 * 1024,
  log_events_per_template: 300,
  log_rows: 4_000_000,
} as const

/** Log mining, as SERVICE.md's Limits table states it. */
export const MINING = {
  miner_similarity_threshold: 0.4,
  drift_similarity_threshold: 0.7,
  template_merge_hit_floor: 10,
  window_seconds: 30,
  gate_pmi: 2.0,
  gate_temporal_lead_ratio: 0.7,
  gate_granger_p: 0.05,
  gate_transfer_entropy_z: 2,
  false_discovery_q: 0.05,
  anomaly_confidence: 0.6,
} as const

/** How heavily a severity weighs in a candidate's consequence. */
export const SEVERITY_WEIGHT = { CRITICAL: 1, ERROR: 0.8, WARN: 0.5, INFO: 0.2, DEBUG: 0.05 } as const
export const SEVERITIES = ['DEBUG', 'INFO', 'WARN', 'ERROR', 'CRITICAL'] as const
export type Severity = (typeof SEVERITIES)[number]
