/**
 * How well lines were put into templates. A group is right when its lines are exactly those of one true template; a template is
 * right when its group is and it reads the same. Definitions as in Khan et al., "Guidelines for assessing the accuracy of log
 * message template identification techniques" (ICSE 2022), and Jiang et al., "A large-scale evaluation for log parsing
 * techniques" (ISSTA 2024).
 */
export interface TemplateScores {
  /** share of lines whose group is right */
  readonly ga: number
  /** F1 over groups */
  readonly fga: number
  /** share of lines whose template reads as the true one */
  readonly pa: number
  /** F1 over templates */
  readonly fta: number
}

export interface ScoredLine {
  readonly group: string
  readonly text: string
  readonly trueGroup: string
  readonly trueText: string
}

/** White space and runs of masks are no difference. */
export const comparable = (text: string): string => text.replace(/\s+/g, ' ').trim().replace(/<\*>(?: ?<\*>)+/g, '<*>')

export function templateScores(lines: readonly ScoredLine[]): TemplateScores {
  const found = Map.groupBy(lines, (line) => line.group)
  const truth = Map.groupBy(lines, (line) => line.trueGroup)
  let [linesRight, groupsRight, templatesRight] = [0, 0, 0]
  for (const group of found.values()) {
    const [first] = group as [ScoredLine]
    const whole = truth.get(first.trueGroup)?.length === group.length && group.every((line) => line.trueGroup === first.trueGroup)
    if (!whole) continue
    linesRight += group.length
    groupsRight += 1
    if (readsRight(first)) templatesRight += 1
  }
  const f1 = (right: number): number => (found.size + truth.size === 0 ? 1 : (2 * right) / (found.size + truth.size))
  const share = (count: number): number => (lines.length === 0 ? 1 : count / lines.length)
  return { ga: share(linesRight), fga: f1(groupsRight), pa: share(lines.filter(readsRight).length), fta: f1(templatesRight) }
}

const readsRight = ({ text, trueText }: ScoredLine): boolean => comparable(text) === comparable(trueText)

export function meanScores(all: readonly TemplateScores[]): TemplateScores {
  const mean = (pick: (scores: TemplateScores) => number): number => all.reduce((sum, each) => sum + pick(each), 0) / all.length
  return { ga: mean((s) => s.ga), fga: mean((s) => s.fga), pa: mean((s) => s.pa), fta: mean((s) => s.fta) }
}
