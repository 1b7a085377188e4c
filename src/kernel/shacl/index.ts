/** SHACL rules: shapes with sh:rule become rules of the Datalog engine, conditions and targets with real premises. */
export { compileShaclRules, orderedGroups } from './compile.ts'
export type { CompiledShacl, ShaclFault, ShaclOptions, ShaclRule } from './compile.ts'
export { sayTarget } from './targets.ts'
export type { Target } from './targets.ts'
export { SHACL_RELATION } from './bodies.ts'
