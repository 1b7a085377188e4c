/** Values as the question spells them become values as the data spells them. That happens here, on the host: no model is shown one. */
import type { Condition, Path, Plan, Scalar } from '../../../contracts/index.ts'
import type { Ontology } from '../../../ontology/index.ts'
import { resolvePath } from '../../compiler/resolve.ts'
import type { FoundValue } from '../../values/find-values.ts'
import { normalise } from '../../values/normalise.ts'
import { type Token, textOf } from '../tokens.ts'

/** Nearest first: the same letters, the same but for case, another form; then a longer value with these words, then a slip. */
const NEAREST: readonly FoundValue['how'][] = ['exact', 'folded', 'form', 'part', 'fuzzy']

interface Found {
  readonly question: string
  readonly tokens: readonly Token[]
  readonly values: readonly FoundValue[]
}

/** The plan fits the ontology. */
export function withStoredValues(ontology: Ontology, plan: Plan, { question, tokens, values }: Found): Plan {
  const stored = (term: string, value: Scalar): Scalar => {
    if (typeof value !== 'string') return value
    const own = values.filter(({ cls, property, start, end, value: found }) =>
      term === `${cls.name}.${property.name}` && (found === value || normalise(textOf(question, tokens, start, end)) === normalise(value)))
    for (const how of NEAREST) {
      const [one, ...more] = [...new Set(own.filter((each) => each.how === how).map((each) => each.value))]
      // of several that are as near, none is meant more than the others
      if (one !== undefined) return more.length === 0 ? one : value
    }
    return value
  }
  const endOf = (from: string, path: Path): { cls: string; term: string } => {
    const root = ontology.classes.find(({ name }) => name === from)
    if (root === undefined) return { cls: from, term: '' }
    const { cls, property } = resolvePath(ontology, root, path)
    return { cls: cls.name, term: property === null ? '' : `${cls.name}.${property.name}` }
  }
  const conditions = (from: string, where: readonly Condition[]): Condition[] =>
    where.map((condition) => {
      if ('any' in condition) return { any: conditions(from, condition.any) }
      if ('all' in condition) return { all: conditions(from, condition.all) }
      const { cls, term } = endOf(from, condition.path)
      const { value } = condition
      return {
        ...condition,
        ...(value === undefined || !SPELLED.has(condition.op) ? {} : { value: Array.isArray(value) ? value.map((each) => stored(term, each)) : stored(term, value) }),
        ...(condition.plan === undefined ? {} : { plan: whole(condition.plan) }),
        ...(condition.where === undefined ? {} : { where: conditions(cls, condition.where) }),
      }
    })
  const whole = (of: Plan): Plan => ({
    ...of,
    where: conditions(of.from, of.where),
    having: of.having.map((having) => (having.plan === undefined ? having : { ...having, plan: whole(having.plan) })),
    ...(of.set_op === undefined ? {} : { set_op: { ...of.set_op, plan: whole(of.set_op.plan) } }),
    ...(of.why === undefined ? {} : { why: { ...of.why, given: of.why.given.map((given) => ({ ...given, where: conditions(given.class, given.where) })) } }),
  })
  return whole(plan)
}

/** Where a value is meant letter by letter. */
const SPELLED: ReadonlySet<string> = new Set(['=', '!=', 'in', 'not_in'])
