/** A row of elements while it is being understood: which are spoken for, and what they have come to. */
import type { OntologyClass } from '../../ontology/index.ts'
import type { ClassElement, Element, OperationElement, PropertyElement, ValueElement } from './elements.ts'
import { isTerm } from './elements.ts'
import type { Operation } from './operators.ts'
import { Choices } from './choices.ts'
import { type Sketch, emptySketch } from './sketch.ts'
import type { Token } from './tokens.ts'
import { isInflectedVerb } from './word-kinds.ts'

export class Reader {
  readonly elements: readonly Element[]
  readonly tokens: readonly Token[]
  readonly question: string
  readonly sketch: Sketch
  readonly used = new Set<number>()
  /** properties and classes after "each" or "by": groups, if anything is counted or folded */
  readonly each: number[] = []
  /** elements that a negation stands before */
  readonly negated = new Set<number>()
  /** ordered upwards or downwards by what is shown first, which is not known at once */
  shownOrder: boolean | null = null
  /** where "top" stands */
  topAt: number | null = null

  constructor(question: string, tokens: readonly Token[], elements: readonly Element[], choices = new Choices()) {
    this.sketch = emptySketch(choices)
    this.question = question
    this.tokens = tokens
    this.elements = elements
  }

  get choices(): Choices {
    return this.sketch.choices
  }

  free(at: number): boolean {
    return at >= 0 && at < this.elements.length && !this.used.has(at)
  }

  take(...places: readonly number[]): void {
    for (const at of places) this.used.add(at)
  }

  /** The next element that says something, in one direction within the sentence; -1: none. Verbs are passed over on request. */
  beside(at: number, step: 1 | -1, passVerbs = false): number {
    for (let i = at + step; i >= 0 && i < this.elements.length; i += step) {
      if (this.opens(step === 1 ? i : i + 1)) return -1
      const element = this.elements[i]!
      if (element.kind === 'word' && (element.content === 'none' || (passVerbs && element.content === 'verb'))) continue
      return i
    }
    return -1
  }

  opens(at: number): boolean {
    const element = this.elements[at]
    return element !== undefined && element.start > 0 && this.tokens[element.start]?.opens === true
  }

  paused(at: number): boolean {
    const element = this.elements[at]
    return element !== undefined && this.tokens[element.start]?.paused === true
  }

  /** the number of the sentence that an element stands in */
  sentence(at: number): number {
    let count = 0
    for (let i = 0; i <= at; i += 1) if (this.opens(i)) count += 1
    return count
  }

  operation<K extends Operation['kind']>(at: number, kind: K): Extract<Operation, { kind: K }> | null {
    const element = this.elements[at]
    if (element?.kind !== 'operation' || element.operation.kind !== kind) return null
    return element.operation as Extract<Operation, { kind: K }>
  }

  property(at: number): PropertyElement | null {
    const element = this.elements[at]
    return element?.kind === 'property' ? element : null
  }

  cls(at: number): ClassElement | null {
    const element = this.elements[at]
    return element?.kind === 'class' ? element : null
  }

  value(at: number): ValueElement | null {
    const element = this.elements[at]
    return element?.kind === 'value' ? element : null
  }

  number(at: number): number | null {
    const element = this.elements[at]
    if (element?.kind === 'number') return element.value
    // a bare year is a number to whoever needs one
    return element?.kind === 'time' && element.bare ? Number(element.from?.slice(0, 4)) : null
  }

  /** a property said by a verb and without an article: "started in March" */
  saidByVerb(at: number): boolean {
    const property = this.property(at)
    if (property === null || property.end - property.start !== 1) return false
    const article = ['the', 'and', 'of', 'their', 'its', 'or'].includes(this.word(at - 1)) || this.paused(at)
    return !article && isInflectedVerb(this.tokens[property.start]!.lower)
  }

  word(at: number): string {
    const element = this.elements[at]
    return element?.kind === 'word' ? element.lower : ''
  }

  /** the words between two elements, empty for one that means something */
  wordsBetween(from: number, to: number): string[] {
    return this.elements.slice(from + 1, to).map((_, i) => this.word(from + 1 + i))
  }

  /** the words of an element as they were written */
  text(at: number): string {
    const element = this.elements[at]
    if (element === undefined) return ''
    const [first, last] = [this.tokens[element.start]!, this.tokens[element.end - 1]!]
    return element.end - element.start === 1 ? first.text : this.question.slice(first.from, last.to)
  }

  operations(kind: Operation['kind']): { at: number; element: OperationElement }[] {
    return this.elements.flatMap((element, at) =>
      element.kind === 'operation' && element.operation.kind === kind && !this.used.has(at) ? [{ at, element }] : [],
    )
  }

  /** the class that is spoken of around an element: the nearest one before it, else after it */
  classAround(at: number): OntologyClass | null {
    for (let i = at - 1; i >= 0; i -= 1) {
      const element = this.elements[i]
      if (isTerm(element)) return element.cls
    }
    for (let i = at + 1; i < this.elements.length; i += 1) {
      const element = this.elements[i]
      if (isTerm(element)) return element.cls
    }
    return null
  }
}
