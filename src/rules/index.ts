/** Rules: libraries, validation, the compiled causal rule, and rules as files. */
export { compileCausalRule, type CausalEdge } from './causal.ts'
export { windowSecondsOf } from './causal-window.ts'
export { exportRules, type RuleFile } from './export.ts'
export { LIBRARY_BASE, loadLibrary, withBase } from './library.ts'
export { isIri, termIri } from './term-text.ts'
export { validateRule, type ValidateOptions } from './validate.ts'
