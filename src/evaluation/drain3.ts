/**
 * Drain3 (https://github.com/logpai/Drain3) as the miner that ours is measured against, where a Python with the package is at
 * hand. It runs with its defaults (similarity 0.4, depth 4), once bare and once with the masks of its own example.
 */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { TemplatePeer } from './templates.ts'

/** Where the benches install their peers in a checkout. */
const INSTALLED = join(import.meta.dirname, '../../node_modules/.cache/wherefore/mining/venv/bin/python')

/** The peers that run with this Python, or with the one of the benches; none where Drain3 is not to be had. */
export function drain3Peers(python: string = INSTALLED): TemplatePeer[] {
  const found = (python !== INSTALLED || existsSync(python)) && spawnSync(python, ['-c', 'import drain3']).status === 0
  if (!found) return []
  return [
    { name: 'Drain3', mine: (contents) => run(python, contents, false) },
    { name: 'Drain3 with masks', mine: (contents) => run(python, contents, true) },
  ]
}

function run(python: string, contents: readonly string[], masked: boolean): { ids: string[]; texts: string[] } {
  const { status, stdout, stderr } = spawnSync(python, ['-c', SCRIPT], {
    input: JSON.stringify({ contents, masked }), encoding: 'utf8', maxBuffer: 2 ** 28,
  })
  if (status !== 0) throw new Error(`Drain3 ended with ${status}: ${stderr.trim().split('\n').at(-1) ?? ''}`)
  return JSON.parse(stdout) as { ids: string[]; texts: string[] }
}

/** The masks are those of the example in Drain3's own read-me; names of masks become `<*>`, as the labels have it. */
const SCRIPT = `
import json, logging, re, sys
logging.disable(logging.CRITICAL)
from drain3 import TemplateMiner
from drain3.template_miner_config import TemplateMinerConfig
from drain3.masking import MaskingInstruction
given = json.load(sys.stdin)
config = TemplateMinerConfig()
if given['masked']:
    left, right = r'((?<=[^A-Za-z0-9])|^)', r'((?=[^A-Za-z0-9])|$)'
    masks = [r'(([0-9a-f]{2,}:){3,}([0-9a-f]{2,}))', r'(\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}\\.\\d{1,3})', r'([0-9a-f]{6,} ?){3,}',
             r'([0-9A-F]{4} ?){4,}', r'(0x[a-f0-9A-F]+)', r'([\\-\\+]?\\d+)']
    config.masking_instructions = [MaskingInstruction(left + mask + right, '*') for mask in masks]
miner = TemplateMiner(config=config)
ids = [str(miner.add_log_message(line)['cluster_id']) for line in given['contents']]
texts = {str(c.cluster_id): c.get_template() for c in miner.drain.clusters}
print(json.dumps({'ids': ids, 'texts': [texts[i] for i in ids]}))
`
