/** How a CONSTRUCT rule runs: on the kernel, through the SPARQL store with partial premises, or not at all. */
import type { Rule } from '../contracts/index.ts'
import type { DatalogRule } from '../kernel/datalog/index.ts'
import { type DelegatedConstruct, type SparqlFault, compileConstruct, delegateConstruct } from '../kernel/sparql/index.ts'
import { windowSecondsOf } from './causal-window.ts'

export type ConstructReading =
  | { readonly how: 'compiled'; readonly rules: readonly DatalogRule[] }
  /** the faults say what the kernel has no reading for */
  | { readonly how: 'delegated'; readonly delegated: DelegatedConstruct; readonly faults: readonly SparqlFault[] }
  | { readonly how: 'refused'; readonly faults: readonly SparqlFault[] }

/** One decision for whoever checks a rule and whoever runs it: what may be saved must not be refused later. */
export function readConstruct({ id, body }: Pick<Rule, 'id' | 'body'>, { ignoreWindows = false } = {}): ConstructReading {
  const windowSeconds = ignoreWindows ? null : windowSecondsOf(body)
  const compiled = compileConstruct(body, { id, ...(windowSeconds === null ? {} : { windowSeconds }) })
  if (compiled.ok) return { how: 'compiled', rules: compiled.rules }
  const { faults } = compiled
  // a window is ours to enforce: the store would not know of it
  if (windowSeconds !== null || !faults.every(isDelegable)) return { how: 'refused', faults }
  const delegated = delegateConstruct(body, { id })
  return delegated.ok ? { how: 'delegated', delegated, faults } : { how: 'refused', faults: delegated.faults }
}

/** Other graphs and other hosts are out of reach, and a value that changes from run to run cannot be defended. */
const isDelegable = ({ unsupported }: SparqlFault): boolean =>
  unsupported !== undefined && !/^(?:SERVICE|FROM|GRAPH|the function .*|.*\(\))$/.test(unsupported)
