/** Calculations: what they give, where they give nothing, and that the engine and the checker agree on it without shared code. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { iri, literal, XSD } from '../term.ts'
import type { Term } from '../term.ts'
import { calculate } from './arithmetic.ts'
import { recalculate } from './checker/arithmetic.ts'
import { checkProof } from './checker/proof.ts'
import { evaluate } from './evaluate.ts'
import { proofOf } from './explain.ts'
import type { Proof } from './explain.ts'
import { sayExpr } from './expression.ts'
import { parseRules } from './parse.ts'
import type { ArithmeticOperator, DatalogRule, Expr, Fact } from './program.ts'
import { valueOf } from '../values/index.ts'
import { whyNot } from './why-not.ts'

const integer = (text: string | number) => literal(String(text), `${XSD}integer`)
const decimal = (text: string) => literal(text, `${XSD}decimal`)
const double = (text: string) => literal(text, `${XSD}double`)

function rulesOf(text: string): readonly DatalogRule[] {
  const parsed = parseRules(text, { relations: [] })
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults))
  return parsed.rules
}

/** The calculation behind `?x =`, in which `v`, `f` and so on stand for terms. */
function exprOf(text: string, terms: Readonly<Record<string, Term>> = {}): Expr {
  const names = Object.keys(terms)
  const [rule] = rulesOf(`p(?x) :- q(${names.map((name) => `?${name}`).join(', ')}), ?x = ${text}.`)
  const item = rule?.body[1]
  if (item?.kind !== 'assign') throw new Error(`${text} is no calculation`)
  return ground(item.expr, terms)
}

function ground(expr: Expr, terms: Readonly<Record<string, Term>>): Expr {
  if ('op' in expr) return { op: expr.op, left: ground(expr.left, terms), right: ground(expr.right, terms) }
  if ('minus' in expr) return { minus: ground(expr.minus, terms) }
  const term = 'variable' in expr ? terms[expr.variable] : undefined
  return term === undefined ? expr : { term }
}

const engine = (expr: Expr) => calculate(expr, (arg) => valueOf('term' in arg ? arg.term : iri('urn:none')))

describe('a calculation', () => {
  it('converts 126 mg/dL of glucose to mmol/L exactly', () => {
    // 126 * 0.0555 = 6.993, which no double holds
    const expr = exprOf('?v * ?f', { v: integer(126), f: decimal('0.0555') })
    expect(engine(expr)).toEqual(decimal('6.993'))
    expect(recalculate(expr)).toEqual(decimal('6.993'))
  })

  it.each([
    ['2 + 3 * 4', integer(14)],
    ['(2 + 3) * 4', integer(20)],
    ['10 - 3 - 2', integer(5)],
    ['10 - (3 - 2)', integer(9)],
    ['2 -1', integer(1)],
    ['2 - -1', integer(3)],
    ['-(2 + 3)', integer(-5)],
    ['- - 2 * 1', integer(2)],
    ['0.1 + 0.2', decimal('0.3')],
    ['1.50 * 2', decimal('3')],
    ['0.5 - 1.5', decimal('-1')],
    ['0.5 - 0.5', decimal('0')],
    ['-0.001 * 1', decimal('-0.001')],
    ['6 / 3', decimal('2')],
    ['1 / 3', decimal('0.333333333333333333')],
    ['2 / 3', decimal('0.666666666666666667')],
    ['-2 / 3', decimal('-0.666666666666666667')],
    ['2 / -3', decimal('-0.666666666666666667')],
    ['1 / 3 * 3', decimal('0.999999999999999999')],
    ['1 / 2000000000000000000', decimal('0.000000000000000001')],
    ['1 / 2000000000000000001', decimal('0')],
    ['12 / 3 / 2', decimal('2')],
    ['9007199254740993 + 0', integer('9007199254740993')],
    ['99999999999999999999 * 99999999999999999999', integer('9999999999999999999800000000000000000001')],
    ['1e0 + 1', double('2')],
    ['0.1e0 + 0.2e0', double('0.30000000000000004')],
    ['1e0 / 4', double('0.25')],
    ['1 / 3 + 0e0', double('0.3333333333333333')],
  ])('%s is %o', (text, result) => {
    const expr = exprOf(text)
    expect(engine(expr)).toEqual(result)
    expect(recalculate(expr)).toEqual(result)
  })

  it.each([
    ['1 / ?v', integer(0)],
    ['1 / ?v', decimal('0.00')],
    ['1e0 / ?v', double('0')],
    ['1e0 / ?v', double('-0')],
    ['1 / (?v - ?v)', integer(5)],
    ['?v + 1', literal('1')],
    ['?v + 1', literal('true', `${XSD}boolean`)],
    ['?v + 1', literal('2024-01-01', `${XSD}date`)],
    ['?v + 1', iri('urn:x')],
    ['?v + 1', integer('one')],
    ['?v + 1', double('INF')],
    ['1 / ?v', double('-INF')],
    ['?v + 1', double('NaN')],
    ['?v * 10', double('1e308')],
    ['?v * 1e0', integer(`1${'0'.repeat(400)}`)],
    ['-?v', literal('x')],
  ])('%s has no result where ?v is %o', (text, v) => {
    const expr = exprOf(text, { v })
    expect(engine(expr)).toBeNull()
    expect(recalculate(expr)).toBeNull()
  })

  const digits = fc.bigInt({ min: -(10n ** 24n), max: 10n ** 24n })
  const exact = fc.oneof(
    digits.map((value) => integer(String(value))),
    fc.tuple(digits, fc.integer({ min: 1, max: 20 })).map(([value, scale]) => {
      const text = String(value < 0n ? -value : value).padStart(scale + 1, '0')
      return decimal(`${value < 0n ? '-' : ''}${text.slice(0, -scale)}.${text.slice(-scale)}`)
    }),
    fc.constantFrom(integer(0), integer('-0'), integer('+7'), decimal('.5'), decimal('5.'), decimal('-0.0')),
  )
  const inexact = fc.double({ noDefaultInfinity: true, noNaN: true }).map((value) => double(String(value)))
  const operand = fc.oneof({ weight: 5, arbitrary: exact }, inexact).map((term): Expr => ({ term }))
  const { expr: anyExpr } = fc.letrec<{ expr: Expr }>((tie) => ({
    expr: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      operand,
      tie('expr').map((minus): Expr => ({ minus })),
      fc
        .record({ op: fc.constantFrom<ArithmeticOperator[]>('+', '-', '*', '/'), left: tie('expr'), right: tie('expr') })
        .map((expr): Expr => expr),
    ),
  }))

  it('has the same result for the engine and for the checker', () => {
    const agree = fc.property(anyExpr, (expr) => {
      expect(recalculate(expr)).toEqual(engine(expr))
    })
    fc.assert(agree, { numRuns: 1000 })
  })

  it('keeps the laws of exact numbers', () => {
    const sum = (x: Term, y: Term) => engine({ op: '+', left: { term: x }, right: { term: y } })
    fc.assert(
      fc.property(exact, exact, (x, y) => {
        expect(sum(x, y)).toEqual(sum(y, x))
        const back = engine({ op: '-', left: { op: '+', left: { term: x }, right: { term: y } }, right: { term: y } })
        expect(valueOf(back ?? iri('urn:none'))).toMatchObject({ kind: 'exact' })
        expect(engine({ op: '-', left: { term: back ?? x }, right: { term: x } })?.value).toBe('0')
      }),
    )
  })

  it('is written so that it reads back as itself', () => {
    const say = (arg: { term: Term } | { variable: string }) => ('term' in arg ? arg.term.value : `?${arg.variable}`)
    for (const text of ['?a * (?b + 2)', '?a - (?b - ?c)', '?a - ?b - ?c', '-(?a + ?b) / 2', '?a / (?b * ?c)', '-?a * ?b']) {
      const [rule] = rulesOf(`p(?x) :- q(?a, ?b, ?c), ?x = ${text}.`)
      const item = rule?.body[1]
      expect(item?.kind === 'assign' ? sayExpr(item.expr, say) : '').toBe(text)
    }
  })
})

describe('a rule that calculates', () => {
  const rules = rulesOf(`
    converted(?l, ?x) :- result(?l, ?v, ?u), factor(?u, ?f), ?x = ?v * ?f.
    high(?l, ?d) :- converted(?l, ?x), ?d = ?x - 7, ?d > 0.
    per_result(?r) :- ?n = count { result(?l, ?v, ?u) }, ?s = sum(?w) { result(?k, ?w, ?t) }, ?r = ?s / ?n.`)
  const facts: Fact[] = [
    { predicate: 'result', args: [iri('urn:a'), integer(126), literal('mg/dL')] },
    { predicate: 'result', args: [iri('urn:b'), integer(144), literal('mg/dL')] },
    { predicate: 'result', args: [iri('urn:c'), literal('hemolysed'), literal('mg/dL')] },
    { predicate: 'factor', args: [literal('mg/dL'), decimal('0.0555')] },
  ]
  const program = { relations: [], rules }
  const model = evaluate(program, facts)
  const context = { rules, base: facts, closed: (predicate: string) => model.find(predicate) }
  const high = model.find('high')[0]

  it('derives the result, and nothing from a value that is no number', () => {
    expect(model.find('converted').map(({ args }) => args[1]?.value)).toEqual(['6.993', '7.992'])
    expect(model.find('high').map(({ args }) => args.map((arg) => arg?.value))).toEqual([['urn:b', '0.992']])
    expect(model.find('per_result')).toEqual([])
  })

  it('works on the result of an aggregate, and an aggregate on its result', () => {
    const both = rulesOf(`
      mean(?r) :- ?n = count { v(?i, ?x) }, ?s = sum(?w) { v(?j, ?w) }, ?r = ?s / ?n.
      same(?x, ?n) :- v(?i, ?x), ?y = ?x + 1, ?n = count { v(?j, ?y) }.`)
    const values = [1, 2, 2, 5].map((x, i): Fact => ({ predicate: 'v', args: [integer(i), integer(x)] }))
    const found = evaluate({ relations: [], rules: both }, values)
    expect(found.find('mean').map(({ args }) => args[0]?.value)).toEqual(['2.5'])
    expect(found.find('same').map(({ args }) => args.map((arg) => arg?.value).join()).toSorted()).toEqual(['1,2', '2,0', '5,0'])
    for (const { id } of found.facts) {
      const closed = (predicate: string) => found.find(predicate)
      expect(checkProof(proofOf(found, id), { rules: both, base: values, closed })).toEqual({ valid: true })
    }
  })

  it('says what it calculated, with the operands', () => {
    const derivation = model.derivation(high?.id ?? -1)
    expect(derivation?.premises[1]).toEqual({
      kind: 'computed', into: 'd', result: decimal('0.992'),
      expr: { op: '-', left: { term: decimal('7.992') }, right: { term: integer(7) } },
    })
    expect(derivation?.bindings['d']).toEqual(decimal('0.992'))
  })

  it('has a proof that the checker accepts, and refuses once anything in it is changed', () => {
    const proof = proofOf(model, high?.id ?? -1)
    expect(checkProof(proof, context)).toEqual({ valid: true })
    const forge = (change: (premise: Record<string, unknown>) => unknown) => {
      const forged = structuredClone(proof) as unknown as { premises: Record<string, unknown>[]; bindings: Record<string, Term> }
      const at = forged.premises.findIndex(({ kind }) => kind === 'computed')
      forged.premises[at] = change(forged.premises[at] ?? {}) as Record<string, unknown>
      return checkProof(forged as unknown as Proof, context)
    }
    const asked = { valid: false, why: 'premise 2 of rule-2 is not the calculation that the rule asks for' }
    expect(forge((premise) => ({ ...premise, into: 'x' }))).toMatchObject(asked)
    expect(forge((premise) => ({ ...premise, expr: { term: decimal('0.992') } }))).toMatchObject(asked)
    expect(forge((premise) => ({ ...premise, result: decimal('0.993') }))).toMatchObject({
      valid: false, why: 'premise 2 of rule-2 is a calculation with another result',
    })
    expect(forge(() => ({ kind: 'condition', op: '=', left: integer(1), right: integer(1) }))).toMatchObject(asked)
    const rebound = { ...proof, bindings: { ...('bindings' in proof ? proof.bindings : {}), d: decimal('5') } } as Proof
    expect(checkProof(rebound, context).valid).toBe(false)
  })

  it('explains why it did not fire', () => {
    const noNumber = whyNot(program, model, { predicate: 'converted', args: [iri('urn:c'), undefined] })[0]
    expect(noNumber?.missing).toEqual({
      kind: 'assign', into: 'x', expr: { op: '*', left: { term: literal('hemolysed') }, right: { term: decimal('0.0555') } },
    })
    const notHigh = whyNot(program, model, { predicate: 'high', args: [iri('urn:a'), undefined] })[0]
    expect(notHigh?.satisfied.map(({ kind }) => kind)).toEqual(['fact', 'computed'])
    expect(notHigh?.missing).toEqual({ kind: 'compare', op: '>', left: { term: decimal('-0.007') }, right: { term: integer(0) } })
    expect(whyNot(program, model, { predicate: 'high', args: [iri('urn:b'), decimal('3')] })[0]?.missing.kind).toBe('assign')
  })

  it('refuses a calculation of unreasonable size, however it is handed in', () => {
    const chain = (length: number) => `p(?x) :- q(?a), ?x = ${Array.from({ length }, () => '?a').join(' + ')}.`
    expect(parseRules(chain(64), { relations: [] }).ok).toBe(true)
    expect(parseRules(chain(65), { relations: [] }).ok).toBe(false)
    expect(parseRules(`p(?x) :- q(?a), ?x = ${'('.repeat(50_000)}?a.`, { relations: [] }).ok).toBe(false)
    let deep: Expr = { variable: 'a' }
    for (let i = 0; i < 50_000; i++) deep = { minus: deep }
    const rule: DatalogRule = {
      id: 'deep', head: { predicate: 'p', args: [{ variable: 'x' }] },
      body: [{ kind: 'atom', atom: { predicate: 'q', args: [{ variable: 'a' }] } }, { kind: 'assign', into: 'x', expr: deep }],
    }
    expect(() => evaluate({ relations: [], rules: [rule] }, [])).toThrow('more than 2048 operands, signs and calls')
  })
})
