/** Words that columns hold as a code: a woman is an F where the sex is told by a letter. About English, never about a database. */
import { singular, splitIdentifier } from '../../kernel/text/index.ts'

interface Coded {
  readonly words: readonly string[]
  /** what a column of such codes is called */
  readonly columns: readonly string[]
  readonly codes: readonly string[]
}

const CODED: readonly Coded[] = [
  { words: ['female', 'woman', 'women', 'girl'], columns: ['sex', 'gender'], codes: ['F', 'Female', 'W'] },
  { words: ['male', 'man', 'men', 'boy'], columns: ['sex', 'gender'], codes: ['M', 'Male'] },
]

/** The codes that a word may stand for in a column of that name. */
export function codesFor(word: string, column: string): readonly string[] {
  const found = CODED.find(({ words }) => words.includes(word.toLowerCase()) || words.includes(singular(word.toLowerCase())))
  if (found === undefined) return []
  return splitIdentifier(column).some((part) => found.columns.includes(part)) ? found.codes : []
}
