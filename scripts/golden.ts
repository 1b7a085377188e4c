/** `npm run golden`: writes the golden files anew. The difference in git is what there is to review. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CASES, type GoldenCase, root } from '../tests/golden/cases.ts'
import { wordingFiles } from '../tests/golden/wording/sentences.ts'

const wording: GoldenCase = { name: 'wording', folder: 'tests/golden/wording', missing: () => null, make: async () => wordingFiles() }

for (const { name, folder, missing, make } of [wording, ...CASES]) {
  const reason = missing()
  if (reason !== null) {
    console.log(`${name}: left as it is (${reason})`)
    continue
  }
  const files = Object.entries(await make())
  mkdirSync(join(root, folder), { recursive: true })
  for (const [file, text] of files) writeFileSync(join(root, folder, file), text)
  console.log(`${name}: wrote ${files.map(([file]) => `${folder}/${file}`).join(', ')}`)
}
