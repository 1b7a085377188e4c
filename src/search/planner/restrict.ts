/** What must hold of a record, and what must be there or absent, as conditions from the root of a plan. */
import type { Condition, Filter, Plan } from '../../contracts/index.ts'
import { splitIdentifier } from '../../kernel/text/index.ts'
import type { OntologyClass } from '../../ontology/index.ts'
import type { Fold } from './operators.ts'
import { type Routes, leadsToMany, startsWith } from './routes.ts'
import { type Role, keyNamed } from './roles.ts'
import type { Ref, Restriction, Side, Sketch } from './sketch.ts'

/** null when something that is said cannot be reached, or nobody has said of what it is said. */
export function conditionsOf(routes: Routes, sketch: Sketch): Condition[] | null {
  const absent = sketch.absent.map((each) => ({ ...each, where: [...each.where, ...saidOfAbsent(sketch, each)] }))
  const moved = new Set(absent.flatMap(({ where }) => where))
  // "no orders in 2024 or 2025": alternatives within what is absent cannot be said
  if ([...moved].some(({ alternative }) => alternative !== undefined)) return null
  reachBetween(routes, sketch)
  const stated = statedOf(routes, sketch, sketch.restrictions.filter((each) => !moved.has(each)))
  if (stated === null) return null
  const out = [...stated]
  for (const { cls, where } of absent) {
    const way = routes.ways.between(routes.root, cls.name)
    if (way === null || way.path.length === 0) return null
    if (way.ambiguous) routes.chargeAmbiguity()
    routes.chargeSteps(way.path.length)
    const inner = where.map((each) => filterFrom(routes, cls.name, each))
    if (inner.includes(null)) return null
    out.push(absence(way.path, inner as Filter[]))
  }
  const missing = new Set(absent.map(({ cls }) => cls.name))
  for (const cls of sketch.named) {
    const way = routes.to(cls.name)
    if (way === null) return null
    const said = out.some(
      (condition) =>
        'path' in condition && startsWith(condition.path, way) && condition.op !== 'not_exists' && condition.op !== 'is_null',
    )
    // what lies on the way to something absent is not asked to be there
    const denied = out.some((condition) => 'path' in condition && condition.op === 'not_exists' && (startsWith(condition.path, way) || startsWith(way, condition.path)))
    if (!leadsToMany(way) || said || denied || missing.has(cls.name)) continue
    // "the heads of departments" are heads, whether or not each has one
    if (!sketch.choices.turned('named in passing')) out.push({ path: [...way], op: 'exists' })
  }
  const all = [...out, ...present(routes, out)]
  return contradicts(all) ? null : all
}

/** "no lamp, and a red one": what is not there cannot be so. */
const contradicts = (conditions: readonly Condition[]): boolean =>
  conditions.some((one) => 'path' in one && one.op === 'not_exists' && one.where === undefined
    && conditions.some((other) => other !== one && 'path' in other && other.op !== 'not_exists' && other.op !== 'is_null' && startsWith(other.path, one.path)))
  || conditions.some((one) => conditions.some((other) => excludes(one, other)))

/** Bounds of one figure of the record itself that nothing lies between, or two values of it. */
function excludes(one: Condition, other: Condition): boolean {
  if (!('path' in one && 'path' in other) || leadsToMany(one.path) || one.path.join(' ') !== other.path.join(' ')) return false
  const [low, high] = [one.value, other.value]
  if (one.op === '=' && other.op === '=') return low !== high
  if (!one.op.startsWith('>') || !other.op.startsWith('<')) return false
  return (typeof low === 'number' && typeof high === 'number' && low >= high) || (typeof low === 'string' && typeof high === 'string' && low >= high)
}

/** One figure of all records of a class. */
export const folding = (ref: Ref, fold: Fold, where: Filter[]): Plan => ({
  intent: 'aggregate', from: ref.cls.name, select: [{ path: [ref.property.name], aggregate: fold }], where,
  group_by: [], having: [], order_by: [], distinct: false,
})

/** "no trip longer than 300": what is said of the absent is said of no other. */
const saidOfAbsent = ({ restrictions }: Sketch, absent: { readonly cls: OntologyClass; readonly at: number }): Restriction[] =>
  restrictions.filter(({ ref, at, fold }) => ref.cls.name === absent.cls.name && at > absent.at && fold === undefined)

/** "guests invited to X": what is described lies between the two. */
function reachBetween(routes: Routes, { restrictions }: Sketch): void {
  for (const { ref, stray } of restrictions) {
    if (stray !== true || routes.has(ref.cls.name)) continue
    const between = restrictions.some(
      (other) =>
        other.stray !== true && !routes.has(other.ref.cls.name)
        && routes.ways.between(ref.cls.name, other.ref.cls.name, true)?.path.length === 1,
    )
    if (between && routes.ways.between(routes.root, ref.cls.name)?.path.length === 1) routes.to(ref.cls.name)
  }
}

/** Each restriction once, those that are alternatives together. */
function statedOf(routes: Routes, sketch: Sketch, restrictions: readonly Restriction[]): Condition[] | null {
  const out: Condition[] = []
  const alternatives = new Map<number, Map<number, Condition[]>>()
  const known = new Set<string>()
  // what is said of one record of several
  const ofBranch = new Map<number, Filter>()
  // what describes something comes after what names it
  for (const restriction of restrictions.toSorted((a, b) => Number(a.stray === true) - Number(b.stray === true))) {
    const { ref, op, value, fold, alternative, branch, at } = restriction
    const said = JSON.stringify([ref.property.iri, op, value ?? null, fold ?? null, branch ?? null])
    if (known.has(said)) continue
    known.add(said)
    const condition = conditionOf(routes, sketch, restriction)
    if (condition === null) return null
    if (alternative === undefined) {
      const same = restriction.apart === true ? ofBranch.get(branch ?? -1) : undefined
      if (same !== undefined && 'path' in condition && condition.op === 'exists' && condition.path.join(' ') === same.path.join(' ')) {
        same.where?.push(...(condition.where ?? []))
        continue
      }
      if (restriction.apart === true && 'path' in condition && condition.op === 'exists') ofBranch.set(branch ?? -1, condition)
      out.push(condition)
      continue
    }
    const branches = alternatives.get(alternative) ?? new Map<number, Condition[]>()
    // each by itself unless it belongs to a branch, which is numbered from -1 downwards
    const place = branch === undefined ? at : -1 - branch
    branches.set(place, [...(branches.get(place) ?? []), condition])
    alternatives.set(alternative, branches)
  }
  for (const branches of alternatives.values()) {
    const any = [...branches.values()].map((all): Condition => (all.length === 1 ? all[0]! : { all }))
    out.push(any.length === 1 ? any[0]! : { any })
  }
  return out
}

/** "not ..." of one among many says that none of them is so. */
const TURNED: Partial<Record<Filter['op'], Filter['op']>> = { '!=': '=', not_in: 'in', not_like: 'like' }
const DENIED: Partial<Record<Filter['op'], Filter['op']>> = { '=': '!=', '>': '<=', '>=': '<', '<': '>=', '<=': '>' }

function conditionOf(routes: Routes, sketch: Sketch, restriction: Restriction): Condition | null {
  const { ref, op, value, fold, apart, stray, ofRecord, denied } = restriction
  const spokenOf = routes.has(ref.cls.name)
  const way = routes.to(ref.cls.name)
  if (way === null) return null
  const many = leadsToMany(way)
  if (denied === true) {
    const { denied: _, ...held } = restriction
    const inverse = DENIED[op]
    if (fold === undefined && many) return absence(way, [ownFilter(held)])
    return inverse === undefined ? null : conditionOf(routes, sketch, { ...held, op: inverse })
  }
  // "which shelves are ok": nobody has said of what
  if (stray === true && !spokenOf) return null
  const path = [...way, ref.property.name]
  if (fold !== undefined) {
    const scope = scopeOf(routes, sketch, restriction, fold)
    return scope === null ? null : { path, op, plan: folding(ref, fold, scope) }
  }
  const filter: Filter = { path, op, ...(value === undefined ? {} : { value }) }
  const twins = routes.ways.twins(routes.root, way)
  const said = inRole(routes, sketch, restriction, [way, ...twins])
  if (said !== null) return { ...filter, path: [...said, ref.property.name] }
  const { side } = restriction
  if (side !== undefined && [way, ...twins].some((each) => isOnSide(each, 'from') || isOnSide(each, 'to'))) {
    const [only, ...others] = [way, ...twins].filter((each) => isOnSide(each, side))
    if (twins.length > 0) return only === undefined || others.length > 0 ? null : { ...filter, path: [...only, ref.property.name] }
  }
  if (twins.length > 0 && (op === '=' || op === 'in')) {
    // "trips of Oslo": at either end, where nothing says which
    return { any: [filter, ...twins.map((other): Filter => ({ ...filter, path: [...other, ref.property.name] }))] }
  }
  if (!many) return deniedOfOwner(routes, restriction) ?? filter
  if (op === 'is_null') return absence(way, [{ path: [ref.property.name], op: 'exists' }])
  const turned = TURNED[op]
  if (turned !== undefined && ofRecord !== true) return absence(way, [{ ...filter, path: [ref.property.name], op: turned }])
  if (restriction.each === true && Array.isArray(value)) {
    return { all: value.map((one): Filter => ({ path: [...way], op: 'exists', where: [{ path: [ref.property.name], op: '=', value: one }] })) }
  }
  return apart === true ? { path: [...way], op: 'exists', where: [{ ...filter, path: [ref.property.name] }] } : filter
}

/** "the average price of each lamp that is not sold by X", from the rows of sales: no sale of the lamp is by X. */
function deniedOfOwner(routes: Routes, { ref, op, value, of }: Restriction): Filter | null {
  const turned = TURNED[op]
  if (turned === undefined || of === undefined || of === routes.root || !routes.has(of)) return null
  const [outer, inner] = [routes.to(of), routes.ways.between(of, ref.cls.name)]
  if (outer === null || inner === null || leadsToMany(outer) || !leadsToMany(inner.path)) return null
  return absence([...outer, ...inner.path], [{ path: [ref.property.name], op: turned, ...(value === undefined ? {} : { value }) }])
}

/** "with the destination Oslo", "the sender of parcel 7": the way through the foreign key that is named beside the value. */
function inRole(routes: Routes, { roles }: Sketch, { ref, at }: Restriction, ways: readonly (readonly string[])[]): readonly string[] | null {
  const near = roles
    .filter(({ cls, at: place }) => (cls === ref.cls.name && Math.abs(place - at) <= NEAR) || cls === routes.root)
    .toSorted((a, b) => Math.abs(a.at - at) - Math.abs(b.at - at))
  for (const role of near) {
    const { owner, name } = keyNamed(role)
    if (owner === ref.cls.name && ways[0]?.length === 0) return withinClass(routes, role, at)
    const found = ways.find((way) => way.includes(name) || way.includes(`^${owner}.${name}`))
    if (found !== undefined) return found
  }
  return null
}
const NEAR = 4

/** "trips from Oslo": along the key that is called for that end. */
const isOnSide = (way: readonly string[], side: Side): boolean =>
  way.some((step) => splitIdentifier(step.slice(step.indexOf('.') + 1)).some((word) => ENDS[side].has(word)))
const ENDS: Readonly<Record<Side, ReadonlySet<string>>> = {
  from: new Set('from origin source start starting begin departure depart sender seller giver'.split(' ')),
  to: new Set('to destination target end ending arrival arrive receiver recipient buyer dest'.split(' ')),
}

/** "mentored by X" has X for a mentor; "the mentor of X" is had by X, and so is "who mentor X". */
function withinClass(routes: Routes, role: Role, at: number): readonly string[] | null {
  const { owner, name } = keyNamed(role)
  if (owner !== routes.root || (role.verb !== true && role.at > at)) return null
  // "reports to X", along a key that is called so
  const has = role.verb === true && (role.by === true || role.at > at || /(?:^|_|[a-z])[Tt]o$/.test(name))
  return [has ? name : `^${owner}.${name}`]
}

/** The records that a fold is over: an extreme is one of those that the question speaks of, an average is of all. */
function scopeOf(routes: Routes, { restrictions }: Sketch, { ref, scope }: Restriction, fold: Fold): Filter[] | null {
  const narrows = (fold === 'max' || fold === 'min') && scope === undefined
  const own = narrows ? restrictions.filter((other) => other.ref.cls.name === ref.cls.name && other.fold === undefined) : []
  const filters = [...own, ...(scope ?? [])].map((each) => filterFrom(routes, ref.cls.name, each))
  return filters.includes(null) ? null : (filters as Filter[])
}

/** Said from another class. */
function filterFrom({ ways }: Routes, from: string, each: Restriction): Filter | null {
  const way = ways.between(from, each.ref.cls.name)
  return way === null ? null : { ...ownFilter(each), path: [...way.path, each.ref.property.name] }
}

/** Said from the class of the property itself. */
const ownFilter = ({ ref, op, value }: Restriction): Filter => ({
  path: [ref.property.name], op, ...(value === undefined ? {} : { value }),
})

/** Records that are shown or grouped by are there: a row without them is not an answer about them. */
function present(routes: Routes, said: readonly Condition[]): Condition[] {
  const reached = routes.reached()
  return reached.flatMap(([, way]): Condition[] => {
    if (way.length === 0 || leadsToMany(way)) return []
    const used = said.some((condition) => speaksOf(condition, way))
    const prefix = reached.some(([, other]) => other.length > way.length && startsWith(other, way))
    return used || prefix || routes.isRequired(way) || routes.isHeld(way) ? [] : [{ path: [...way], op: 'exists' }]
  })
}

/** A condition that the record at the end of a way meets, or one of several that it may. */
const speaksOf = (condition: Condition, way: readonly string[]): boolean =>
  'any' in condition ? condition.any.some((one) => speaksOf(one, way))
  : 'all' in condition ? condition.all.some((one) => speaksOf(one, way))
  : startsWith(condition.path, way) && condition.op !== 'is_null'

/** No record at the end of the way for which the conditions hold: the first step to many is where nothing may be found. */
function absence(way: readonly string[], where: readonly Filter[]): Filter {
  const many = way.findIndex((step) => step.startsWith('^'))
  const [outer, rest] = many === -1 ? [way, []] : [way.slice(0, many + 1), way.slice(many + 1)]
  const inner: Filter[] = where.map((filter) => ({ ...filter, path: [...rest, ...filter.path] }))
  if (inner.length === 0 && rest.length > 0) inner.push({ path: [...rest], op: 'exists' })
  return { path: [...outer], op: 'not_exists', ...(inner.length === 0 ? {} : { where: inner }) }
}
