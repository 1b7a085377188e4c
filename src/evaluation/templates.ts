/**
 * The template miner on labelled logs: one setting for all sets, and once more with every setting chosen on the other sets
 * only. The miner sees the content of the lines and nothing else.
 */
import { MINING } from '../contracts/index.ts'
import { addLine, labelText, SETTLED_LINES, templatesOf } from '../logs/index.ts'
import type { ShapeTable, TemplateOptions } from '../logs/index.ts'
import { readLogSets } from './log-sets.ts'
import type { LogSet } from './log-sets.ts'
import { meanScores, templateScores } from './template-scores.ts'
import type { TemplateScores } from './template-scores.ts'

/** Another miner, asked for the template of each line of a set. */
export interface TemplatePeer {
  readonly name: string
  readonly mine: (contents: readonly string[]) => { readonly ids: readonly string[]; readonly texts: readonly string[] }
}

export interface TemplateLine {
  readonly set: string
  readonly line_id: string
  readonly template_id: string
  readonly template: string
}

export interface SetFigures extends TemplateScores {
  readonly set: string
  readonly lines: number
  readonly templates: number
  readonly true_templates: number
}

export interface HeldOut extends TemplateScores {
  readonly set: string
  /** what the other sets chose */
  readonly setting: Required<Pick<TemplateOptions, 'similarity' | 'mergeHitFloor' | 'settledLines'>>
}

export interface TemplatesEvaluation {
  readonly results: readonly TemplateLine[]
  readonly figures: {
    readonly sets: readonly SetFigures[]
    readonly mean: TemplateScores
    readonly leave_one_out: { readonly sets: readonly HeldOut[]; readonly mean: TemplateScores }
    readonly peers: readonly { readonly name: string; readonly sets: readonly SetFigures[]; readonly mean: TemplateScores }[]
  }
}

export interface TemplatesEvaluationOptions {
  readonly folder: string
  readonly peers?: readonly TemplatePeer[]
  /** false leaves the choice of settings on other sets out, which takes most of the time */
  readonly leaveOneOut?: boolean
}

export function evaluateTemplates({ folder, peers = [], leaveOneOut = true }: TemplatesEvaluationOptions): TemplatesEvaluation {
  const sets = readLogSets(folder).map(tabled)
  const mined = sets.map((set) => mine(set, {}))
  const figures = mined.map(({ set, labels }) => figuresOf(set, labels))
  const held = leaveOneOut ? heldOut(sets) : []
  return {
    results: mined.flatMap(({ set, labels }) =>
      set.lines.map(({ lineId }, i) => ({
        set: set.name, line_id: lineId, template_id: labels.ids[i] ?? '', template: labels.texts[i] ?? '',
      })),
    ),
    figures: {
      sets: figures,
      mean: meanScores(figures),
      leave_one_out: { sets: held, mean: meanScores(held.length > 0 ? held : figures) },
      peers: peers.map((peer) => {
        const own = sets.map((set) => figuresOf(set, peer.mine(set.lines.map((line) => line.content))))
        return { name: peer.name, sets: own, mean: meanScores(own) }
      }),
    },
  }
}

interface TabledSet extends LogSet {
  readonly table: ShapeTable
  /** shape of each line */
  readonly keys: readonly string[]
}

function tabled(set: LogSet): TabledSet {
  const table: ShapeTable = new Map()
  const keys = set.lines.map(({ content }) => addLine(table, { message: content, severity: '', service: '' }))
  return { ...set, table, keys }
}

interface Labels {
  readonly ids: readonly string[]
  readonly texts: readonly string[]
}

function mine(set: TabledSet, options: TemplateOptions): { readonly set: TabledSet; readonly labels: Labels } {
  const { templates, templateOfShape } = templatesOf(set.table, options)
  const texts = new Map(templates.map((template) => [template.id, labelText(template)]))
  const ids = set.keys.map((key) => templateOfShape.get(key) ?? '')
  return { set, labels: { ids, texts: ids.map((id) => texts.get(id) ?? '') } }
}

function scoresOf(set: LogSet, { ids, texts }: Labels): TemplateScores {
  return templateScores(
    set.lines.map(({ eventId, eventTemplate }, i) => ({
      group: ids[i] ?? '', text: texts[i] ?? '', trueGroup: eventId, trueText: eventTemplate,
    })),
  )
}

const figuresOf = (set: LogSet, labels: Labels): SetFigures => ({
  set: set.name,
  lines: set.lines.length,
  templates: new Set(labels.ids).size,
  true_templates: new Set(set.lines.map((line) => line.eventId)).size,
  ...scoresOf(set, labels),
})

/** The defaults come first, so that they stand where nothing is better. */
const SETTINGS = [MINING.miner_similarity_threshold, 0.3, 0.5, 0.6].flatMap((similarity) =>
  [MINING.template_merge_hit_floor, 5, 20].flatMap((mergeHitFloor) =>
    [SETTLED_LINES, 10, 40].map((settledLines) => ({ similarity, mergeHitFloor, settledLines })),
  ),
)

/** Each set with the setting that is best on all others; of equals the first. */
function heldOut(sets: readonly TabledSet[]): HeldOut[] {
  if (sets.length < 2) return []
  const grid = SETTINGS.map((setting) => ({ setting, scores: sets.map((set) => scoresOf(set, mine(set, setting).labels)) }))
  return sets.map((set, left) => {
    const worth = (scores: readonly TemplateScores[]): number => {
      const { ga, fga, pa, fta } = meanScores(scores.filter((_, i) => i !== left))
      return ga + fga + pa + fta
    }
    const best = grid.reduce((chosen, each) => (worth(each.scores) > worth(chosen.scores) + 1e-9 ? each : chosen))
    return { set: set.name, setting: best.setting, ...(best.scores[left] as TemplateScores) }
  })
}
