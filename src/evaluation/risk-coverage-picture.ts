/** The risk-coverage curve as an SVG that reads on a light page and on a dark one. */
import type { RiskPoint } from './risk-coverage.ts'

export interface Curve {
  readonly label: string
  readonly points: readonly RiskPoint[]
  /** where the threshold lies */
  readonly mark: { readonly coverage: number; readonly precision: number }
}

const [WIDTH, HEIGHT] = [720, 440]
const PLOT = { left: 64, right: 30, top: 34, bottom: 56 }
/** The lower half would be empty: a curve below it is not worth a picture. */
const LEAST = 0.5
/** Too few answers to speak of a share. */
const FIRST_COVERAGE = 0.02
const COLOURS = ['one', 'two'] as const

export function riskCoveragePicture(curves: readonly Curve[]): string {
  const x = (coverage: number) => PLOT.left + coverage * (WIDTH - PLOT.left - PLOT.right)
  const y = (precision: number) => PLOT.top + ((1 - Math.max(LEAST, precision)) / (1 - LEAST)) * (HEIGHT - PLOT.top - PLOT.bottom)
  const across = [0, 0.2, 0.4, 0.6, 0.8, 1].map((at) => [
    `<line class="grid" x1="${n(x(at))}" y1="${n(y(1))}" x2="${n(x(at))}" y2="${n(y(LEAST))}"/>`,
    `<text x="${n(x(at))}" y="${n(y(LEAST) + 18)}" text-anchor="middle">${percent(at)}</text>`,
  ])
  const up = [0.5, 0.6, 0.7, 0.8, 0.9, 1].map((at) => [
    `<line class="grid" x1="${n(x(0))}" y1="${n(y(at))}" x2="${n(x(1))}" y2="${n(y(at))}"/>`,
    `<text x="${n(x(0) - 8)}" y="${n(y(at) + 4)}" text-anchor="end">${percent(at)}</text>`,
  ])
  const drawn = curves.flatMap(({ label, points, mark }, at) => {
    const colour = COLOURS[at % COLOURS.length]!
    const shown = thinned(points.filter(({ coverage }) => coverage >= FIRST_COVERAGE))
    const line = shown.map(({ coverage, precision }) => `${n(x(coverage))},${n(y(precision))}`).join(' ')
    const last = shown.at(-1)
    const [mx, my] = [x(mark.coverage), y(mark.precision)]
    const says = `${percent(mark.precision, 1)} right of ${percent(mark.coverage, 1)} answered`
    return [
      `<polyline class="curve ${colour}" points="${line}"/>`,
      ...(last === undefined ? [] : [`<circle class="end ${colour}" cx="${n(x(last.coverage))}" cy="${n(y(last.precision))}" r="3"/>`]),
      `<circle class="mark ${colour}" cx="${n(mx)}" cy="${n(my)}" r="5"/>`,
      `<line class="key ${colour}" x1="${PLOT.left + 14}" y1="${n(y(LEAST) - 52 + 22 * at)}" x2="${PLOT.left + 40}" y2="${n(y(LEAST) - 52 + 22 * at)}"/>`,
      `<text x="${PLOT.left + 48}" y="${n(y(LEAST) - 48 + 22 * at)}">${escaped(label)}: ${says}</text>`,
    ]
  })
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-labelledby="title">`,
    '<title id="title">Share of answers that are right, by the share of questions answered, surest first, out of fold</title>',
    STYLE,
    `<rect class="page" width="${WIDTH}" height="${HEIGHT}" rx="6"/>`,
    `<text class="head" x="${PLOT.left}" y="20">Right answers among those given, the surest first, out of fold; the large dot is the threshold</text>`,
    ...across.flat(),
    ...up.flat(),
    `<text x="${n((x(0) + x(1)) / 2)}" y="${HEIGHT - 14}" text-anchor="middle">questions answered</text>`,
    `<text transform="translate(16 ${n((y(1) + y(LEAST)) / 2)}) rotate(-90)" text-anchor="middle">answers that are right</text>`,
    ...drawn,
    '</svg>',
    '',
  ].join('\n')
}

const STYLE = `<style>
  .page { fill: #ffffff }
  text { font: 13px system-ui, sans-serif; fill: #24292f }
  .head { font-size: 14px; font-weight: 600 }
  .grid { stroke: #d0d7de; stroke-width: 1 }
  .curve { fill: none; stroke-width: 2.2; stroke-linejoin: round }
  .key { stroke-width: 2.2 }
  .one { stroke: #0b62c4 } .two { stroke: #b3501d; stroke-dasharray: 6 4 }
  .mark, .end { stroke-dasharray: none; fill: #ffffff; stroke-width: 2.2 }
  @media (prefers-color-scheme: dark) {
    .page { fill: #0d1117 }
    text { fill: #e6edf3 }
    .grid { stroke: #30363d }
    .one { stroke: #6cb6ff } .two { stroke: #f0a070 }
    .mark, .end { fill: #0d1117 }
  }
</style>`

/** A point in two pixels is enough. */
function thinned(points: readonly RiskPoint[]): RiskPoint[] {
  const kept: RiskPoint[] = []
  for (const point of points) {
    const last = kept.at(-1)
    if (last === undefined || point.coverage - last.coverage >= 0.003 || point === points.at(-1)) kept.push(point)
  }
  return kept
}

const n = (value: number): string => String(Math.round(value * 10) / 10)
const percent = (share: number, digits = 0): string => `${(100 * share).toFixed(digits)} %`
const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
