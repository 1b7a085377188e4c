/** SHACL shapes of the ontology, and live data checked against them by SQL with a SHACL library as second opinion. */
export type { Constraint, Constraints, LeftToDatabase, SchemaOption } from './constraints.ts'
export { constraintsOf } from './constraints.ts'
export * from './cross-check.ts'
export * from './report.ts'
export { type ShapesOptions, shapeIri, shapesOf, shapesTurtle } from './shapes.ts'
export {
  type Check, type CheckOutcome, type SampleKey, type ValidationOptions, type ValidationReport, runValidation, validationPlan,
} from './validate-sql.ts'
