/**
 * Writes the golden files of the differential test against owlrl anew: `node scripts/owlrl-golden.ts`. The Python package goes
 * into node_modules/.cache/wherefore/peers; the difference in git is what there is to review.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { toNTriples } from '../bench/lubm.ts'
import { preparePeers, runOwlrl } from '../bench/peers.ts'
import type { Quad } from '../src/kernel/rdf/index.ts'
import { compareText } from '../src/kernel/term.ts'
import type { GoldenClosure } from '../tests/conformance/owlrl-golden.ts'
import { GOLDEN, SEEDS, fileOf, ontologyOf, shortKey, shorten } from '../tests/conformance/owlrl-golden.ts'

const peers = preparePeers()
if (!peers.ready) {
  console.error(`the golden files stay as they are: ${peers.missing}`)
  process.exit(1)
}
const { python } = peers
const folder = mkdtempSync(join(tmpdir(), 'wherefore-owlrl-'))
try {
  const common = new Set(closure([]))
  const closures = Array.from({ length: SEEDS }, (_, i): GoldenClosure => {
    const quads = ontologyOf(i + 1)
    const given = new Set(quads.map(shortKey))
    const triples = closure(quads)
    // owlrl reports an inconsistency as a node with a message
    const isError = (one: string) => one.includes('ErrorMessage') || one.includes('agent-ont#error')
    const derived = triples.filter((one) => !given.has(one) && !common.has(one) && !isError(one))
    return { seed: i + 1, given: given.size, inconsistent: triples.some(isError), derived: derived.toSorted(compareText) }
  })
  mkdirSync(GOLDEN, { recursive: true })
  for (const [file, group] of Map.groupBy(closures, ({ seed }) => fileOf(seed))) {
    writeFileSync(join(GOLDEN, file), `[\n${group.map((one) => JSON.stringify(one)).join(',\n')}\n]\n`)
    console.log(`wrote ${file}: ${group.length} closures, ${group.reduce((sum, { derived }) => sum + derived.length, 0)} triples`)
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function closure(quads: readonly Quad[]): string[] {
  const [input, output] = [join(folder, 'in.nt'), join(folder, 'out.nt')]
  writeFileSync(input, toNTriples(quads))
  runOwlrl(python, input, output)
  return readFileSync(output, 'utf8').split('\n').filter(Boolean).map((line) => shorten(line.replace(/ \.$/, '')))
}
