import { describe, expect, it } from 'vitest'
import { withParts } from './question-doc.ts'
import { riskCoveragePicture } from './risk-coverage-picture.ts'

describe('a page with parts', () => {
  const page = 'before\n<!-- figures -->\nold\n<!-- /figures -->\nafter\n'

  it('gets what stands between its markers, and keeps the rest', () => {
    const once = withParts(page, { figures: '| 1 |', missing: 'x' })
    expect(once).toBe('before\n<!-- figures -->\n| 1 |\n<!-- /figures -->\nafter\n')
    expect(withParts(once, { figures: '| 1 |' })).toBe(once)
  })
})

describe('the picture', () => {
  it('draws each curve inside its frame, with its threshold, and says so to who cannot see it', () => {
    const points = [0.1, 0.5, 0.7].map((coverage) => ({ coverage, precision: 1 - coverage / 2, accuracy: coverage / 2, confidence: 1 - coverage }))
    const svg = riskCoveragePicture([{ label: 'lamps & shelves', points, mark: { coverage: 0.5, precision: 0.75 } }])
    expect(svg).toContain('<polyline class="curve one" points="126.6,69 377,209 502.2,279"/>')
    expect(svg).toContain('lamps &amp; shelves: 75.0 % right of 50.0 % answered')
    expect(svg).toContain('<title id="title">')
    expect(svg).toContain('prefers-color-scheme: dark')
    expect(riskCoveragePicture([])).toContain('</svg>')
  })
})
