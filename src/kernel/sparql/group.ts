/** Group patterns as alternatives: element by element joined, extended, made optional or taken away, then filtered as a whole. */
import type { DatalogRule } from '../datalog/index.ts'
import type { Term } from '../term.ts'
import { XSD, literal, termKey } from '../term.ts'
import type { Alternative } from './alternative.ts'
import { UNIT, joined, ofAtoms } from './alternative.ts'
import type { Compiling, Scope } from './compiling.ts'
import { MAX_RULES, isOuter, relationAtom } from './compiling.ts'
import type { Within } from './condition.ts'
import { denying, extended, filtered } from './condition.ts'
import { readSubSelect } from './select.ts'
import type { Expression, Pattern, Placed, Values } from './syntax.ts'
import { isHidden, termOfTree } from './terms.ts'
import { readTriples } from './triples.ts'

export function readGroup(patterns: readonly Pattern[], within: Within): readonly Alternative[] {
  if (!within.compiling.enter(patterns[0] ?? {})) return []
  const { alternatives, filters } = readElements(patterns, within)
  return filters.reduce<readonly Alternative[]>(
    (left, filter) => within.compiling.limited(filtered(left, filter, within), filter),
    alternatives,
  )
}

interface Elements {
  readonly alternatives: readonly Alternative[]
  /** a FILTER speaks about its whole group, wherever in it it stands */
  readonly filters: readonly Expression[]
}

function readElements(patterns: readonly Pattern[], within: Within): Elements {
  const { compiling } = within
  const filters: Expression[] = []
  let left: readonly Alternative[] = [UNIT]
  const join = (right: readonly Alternative[], node: Placed) => {
    left = compiling.limited(left.flatMap((one) => right.map((other) => joined(one, other, compiling.fresh))), node)
  }
  for (const pattern of patterns) {
    if (pattern.type === 'query') {
      join(readSubSelect(pattern, compiling), pattern)
      continue
    }
    switch (pattern.subType) {
      case 'bgp':
        join(readTriples(pattern, compiling), pattern)
        break
      case 'group':
        join(readGroup(pattern.patterns, within), pattern)
        break
      case 'union':
        join(pattern.patterns.flatMap((branch) => readGroup(branch.patterns, within)), pattern)
        break
      case 'values':
        join(readValues(pattern, compiling), pattern)
        break
      case 'filter':
        filters.push(pattern.expression)
        break
      case 'bind':
        left = compiling.limited(
          left.flatMap((each) => extended(each, pattern.variable.value, pattern.expression, within)),
          pattern,
        )
        break
      case 'optional':
        left = optionally(left, pattern.patterns, pattern, within)
        break
      case 'minus':
        left = without(left, pattern.patterns, pattern, within)
        break
      default:
        compiling.refuse(pattern, `${pattern.subType.toUpperCase()} is not supported`, pattern.subType.toUpperCase())
    }
  }
  return { alternatives: left, filters }
}

/** With each match that the filters of the OPTIONAL let through; and as it is where there is none. */
function optionally(
  left: readonly Alternative[],
  patterns: readonly Pattern[],
  node: Placed,
  within: Within,
): readonly Alternative[] {
  const { compiling, scope } = within
  const { alternatives: right, filters } = readElements(patterns, within)
  const all = left.flatMap((one) => {
    const both = right.map((other) => joined(one, other, compiling.fresh))
    const matched = filters.reduce<readonly Alternative[]>((kept, filter) => filtered(kept, filter, within), both)
    const inner: Scope = { outer: one, parent: scope }
    const looked = filters.reduce<readonly Alternative[]>(
      (kept, filter) => filtered(kept, filter, { ...within, scope: inner }),
      right,
    )
    const alone = denying(one, looked, inner, compiling)
    return alone === null ? matched : [...matched, alone]
  })
  return compiling.limited(all, node)
}

/** MINUS takes a solution away for a match that agrees with it in at least one variable, and disagrees in none. */
function without(
  left: readonly Alternative[],
  patterns: readonly Pattern[],
  node: Placed,
  within: Within,
): readonly Alternative[] {
  const { compiling, scope } = within
  const right = readGroup(patterns, within)
  const kept = left.flatMap((one) => {
    const agreeing = right.filter((other) => {
      const shared = [...other.bound].filter((variable) => !isHidden(variable) && one.bound.has(variable))
      const settled = scope === null || shared.some((variable) => !isOuter(variable, scope))
      // whether a value from outside EXISTS counts as a variable that both sides have is read in two ways
      if (!settled && [...other.bound].some((variable) => isOuter(variable, scope)))
        compiling.refuse(node, 'MINUS over variables from outside EXISTS is not supported', 'MINUS inside EXISTS')
      return shared.length > 0
    })
    return denying(one, agreeing, { outer: one, parent: scope }, compiling) ?? []
  })
  return compiling.limited(kept, node)
}

/** The rows as facts of a relation of their own, one relation for each choice of columns that UNDEF leaves. */
function readValues(node: Values, compiling: Compiling): readonly Alternative[] {
  const variables = [...new Set(node.values.flatMap((row) => Object.keys(row)))]
  const rows = node.values.map((row) =>
    variables.map((variable): Term | undefined => {
      const cell = row[variable]
      return cell === undefined ? undefined : termOfTree(cell, compiling)
    }),
  )
  if (rows.length > MAX_RULES / 2) compiling.refuse(node, `VALUES may have ${MAX_RULES / 2} rows`, 'VALUES of this size')
  const shapes = Map.groupBy(rows, (row) => row.map((cell) => (cell === undefined ? '-' : '+')).join(''))
  return [...shapes.values()].map((alike) => {
    const columns = variables.filter((_, column) => alike[0]?.[column] !== undefined)
    const cells = alike.map((row) => row.filter((cell) => cell !== undefined))
    // a row that is written twice counts twice
    const counted = new Set(cells.map((row) => row.map(termKey).join(' '))).size < cells.length
    const { predicate, rule } = compiling.relation('values')
    const facts = cells.map((row, n): DatalogRule => {
      const args = [...(counted ? [{ term: numbered(n) }] : []), ...row.map((term) => ({ term }))]
      return { id: rule(`-${n + 1}`), head: { predicate, args: args.length === 0 ? relationAtom('', []).args : args }, body: [] }
    })
    compiling.add(...facts)
    return ofAtoms([relationAtom(predicate, [...(counted ? [compiling.fresh()] : []), ...columns])])
  })
}

const numbered = (n: number): Term => literal(String(n + 1), `${XSD}integer`)
