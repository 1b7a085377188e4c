/** The template pass: shapes in, templates with typed slots and names out. */
export * from './event-name.ts'
export * from './label.ts'
export * from './pii.ts'
export * from './records.ts'
export * from './slots.ts'
export * from './templates.ts'
