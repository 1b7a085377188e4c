/** What is said about a table or a column: by us as a proposal, by a person as a decision that no proposal overwrites. */
import { z } from 'zod'
import { Tier } from './tiers.ts'

const Flag = z.boolean().nullable().default(null)

export const MetadataRow = z
  .strictObject({
    target_type: z.enum(['table', 'column']),
    table_name: z.string().min(1).max(256),
    column_name: z.string().min(1).max(256).nullable(),
    /** what kind of thing it is: `email`, `money`, `event`, `name` ... */
    semantic_type: z.string().max(64).nullable().default(null),
    label: z.string().max(256).nullable().default(null),
    description: z.string().max(2000).nullable().default(null),
    synonyms: z.array(z.string().max(128)).max(32).default([]),
    sensitivity_tier: Tier.nullable().default(null),
    is_event_class: Flag,
    /** the seven opt-in axioms: phase 1 never fills them, only a person does */
    has_key_columns: z.array(z.string().max(256)).max(16).nullable().default(null),
    is_transitive: Flag,
    is_symmetric: Flag,
    is_functional: Flag,
    is_inverse_functional: Flag,
    inverse_of: z.string().max(256).nullable().default(null),
    disjoint_group: z.string().max(64).nullable().default(null),
  })
  .refine((row) => (row.target_type === 'column') === (row.column_name !== null), { message: 'a column row names a column, a table row does not' })
  .meta({ id: 'MetadataRow' })
export type MetadataRow = z.infer<typeof MetadataRow>

/** A row as it is stored: who said it last. A row whose author is a person is never overwritten by a proposal. */
export const StoredMetadata = z
  .object({ ...MetadataRow.shape, author: z.string(), proposed: z.boolean(), created_at: z.string(), updated_at: z.string() })
  .meta({ id: 'StoredMetadata' })
export type StoredMetadata = z.infer<typeof StoredMetadata>

export const metadataKey = (row: Pick<MetadataRow, 'table_name' | 'column_name'>): string => JSON.stringify([row.table_name, row.column_name])
