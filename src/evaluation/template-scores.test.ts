import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { csvRows, readLogSets } from './log-sets.ts'
import { comparable, templateScores } from './template-scores.ts'
import { evaluateTemplates } from './templates.ts'

const line = (group: string, text: string, trueGroup: string, trueText: string) => ({ group, text, trueGroup, trueText })

describe('templateScores', () => {
  it('matches a worked example', () => {
    // E1 found whole and read right, E2 found whole and read wrong, E3 torn in two of which one half reads right
    const lines = [
      line('a', 'x <*>', 'E1', 'x <*>'), line('a', 'x <*>', 'E1', 'x <*>'), line('b', 'y 7', 'E2', 'y <*>'),
      line('c', 'z <*>', 'E3', 'z <*>'), line('d', 'z k', 'E3', 'z <*>'),
    ]
    expect(templateScores(lines)).toEqual({ ga: 3 / 5, fga: 4 / 7, pa: 3 / 5, fta: 2 / 7 })
  })

  it('a group with lines of two templates is right for neither', () => {
    expect(templateScores([line('a', 'x', 'E1', 'x'), line('a', 'x', 'E2', 'y')])).toEqual({ ga: 0, fga: 0, pa: 1 / 2, fta: 0 })
  })

  it('white space and runs of masks make no difference, other marks do', () => {
    expect(comparable(' a   <*> <*><*>  b')).toBe('a <*> b')
    expect(comparable('<*>.<*>')).not.toBe(comparable('<*>'))
  })
})

describe('labelled logs', () => {
  it.each([
    ['a,b\n1,2\n', [['a', 'b'], ['1', '2']]],
    ['a,"b, ""c"" d"\r\n"x\ny",', [['a', 'b, "c" d'], ['x\ny', '']]],
    ['\uFEFFa\n\nb', [['a'], ['b']]],
    ['say "hi",2', [['say "hi"', '2']]],
  ])('reads %j', (text, rows) => {
    expect(csvRows(text)).toEqual(rows)
  })

  it.each([
    ['a,b\n"1,2\n', 'not closed'],
    ['LineId,Content,EventId,EventTemplate\n', 'no line'],
  ])('are refused where they prove nothing: %j', (text, message) => {
    const folder = mkdtempSync(join(tmpdir(), 'logs-'))
    writeFileSync(join(folder, 'x.log_structured.csv'), text)
    expect(() => readLogSets(folder)).toThrow(message)
  })

  it('are found in sub-folders, without the corrected ones, and evaluated by their content', () => {
    const folder = mkdtempSync(join(tmpdir(), 'logs-'))
    mkdirSync(join(folder, 'Toy'))
    const head = 'LineId,Content,EventId,EventTemplate\n'
    writeFileSync(join(folder, 'Toy', 'Toy_2k.log_structured.csv'), `${head}1,link 7 up,E1,link <*> up\n2,link 8 up,E1,link <*> up\n`)
    writeFileSync(join(folder, 'Toy', 'Toy_2k.log_structured_corrected.csv'), head)
    expect(readLogSets(folder).map(({ name, lines }) => [name, lines.length])).toEqual([['Toy', 2]])
    const { results, figures } = evaluateTemplates({ folder })
    expect(figures.mean).toEqual({ ga: 1, fga: 1, pa: 1, fta: 1 })
    expect(results[1]).toMatchObject({ set: 'Toy', line_id: '2', template: 'link <*> up' })
  })

  it('a folder without any is refused', () => {
    expect(() => readLogSets(mkdtempSync(join(tmpdir(), 'logs-')))).toThrow('no labelled logs')
  })
})
