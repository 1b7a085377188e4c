/** RDF lists, unrolled: their members, and the cells that a derivation over them rests on. A list that does not end is none. */
import type { BodyItem, DatalogRule } from '../datalog/index.ts'
import type { Term } from '../term.ts'
import { termKey } from '../term.ts'
import { FIRST, NIL, REST, ground, is, v } from './rule.ts'

export interface List {
  readonly head: Term
  readonly members: readonly Term[]
  /** the node that holds each member */
  readonly cells: readonly Term[]
}

export type ReadList = { readonly ok: true; readonly list: List } | { readonly ok: false; readonly why: string }

const isNil = (term: Term): boolean => term.kind === 'iri' && term.value === NIL

/** `first` and `rest` give all values that a node has for the property. */
export function readList(head: Term, first: (node: Term) => readonly Term[], rest: (node: Term) => readonly Term[]): ReadList {
  const members: Term[] = []
  const cells: Term[] = []
  const seen = new Set<string>()
  for (let node = head; !isNil(node); ) {
    if (seen.has(termKey(node))) return { ok: false, why: 'it runs in a circle' }
    seen.add(termKey(node))
    const [value, ...others] = first(node)
    const [next, ...branches] = rest(node)
    if (value === undefined) return { ok: false, why: 'a cell has no rdf:first' }
    if (next === undefined) return { ok: false, why: 'a cell has no rdf:rest' }
    if (others.length > 0 || branches.length > 0) return { ok: false, why: 'a cell has more than one rdf:first or rdf:rest' }
    members.push(value)
    cells.push(node)
    node = next
  }
  return { ok: true, list: { head, members, cells } }
}

/** Longer lists than this would make bodies that nobody reads and the engine refuses. */
export const MOST_MEMBERS = 80
/** From here on a cell is premised through a relation that walks the list, instead of by every cell before it. */
const FAR = 40

/** The triples of the whole list. */
export const wholeList = ({ members, cells }: List): BodyItem[] =>
  cells.flatMap((cell, i) => [first(cell, members[i]), rest(cell, cells[i + 1])])

/** What shows that the list has this member: the way to its cell, and the cell. */
export function listMember(list: List, i: number): BodyItem[] {
  const { members, cells } = list
  const cell = cells[i]
  if (cell === undefined) return []
  const here = first(cell, members[i])
  if (i >= FAR) return [{ kind: 'atom', atom: { predicate: cellsOf(list), args: [is(cell)] } }, here]
  return [...cells.slice(0, i).map((before, n) => rest(before, cells[n + 1])), here]
}

/** The rules that walk a list, for one that is long. */
export function listRules(list: List): DatalogRule[] {
  if (list.cells.length <= FAR) return []
  const predicate = cellsOf(list)
  const [cell, next] = [v('cell'), v('next')]
  const start = list.cells[0]
  if (start === undefined) return []
  return [
    { id: `list~${termKey(list.head)}~start`, head: { predicate, args: [is(start)] }, body: [first(start, list.members[0])] },
    {
      id: `list~${termKey(list.head)}~next`,
      head: { predicate, args: [next] },
      body: [
        { kind: 'atom', atom: { predicate, args: [cell] } },
        { kind: 'atom', atom: { predicate: REST, args: [cell, next] } },
      ],
    },
  ]
}

const cellsOf = ({ head }: List): string => `list ${termKey(head)}`
const first = (cell: Term, value: Term | undefined): BodyItem => ground(cell, FIRST, value ?? END)
const rest = (cell: Term, next: Term | undefined): BodyItem => ground(cell, REST, next ?? END)
const END: Term = { kind: 'iri', value: NIL }
