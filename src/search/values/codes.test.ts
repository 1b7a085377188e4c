import { expect, it } from 'vitest'
import { codesFor } from './codes.ts'

it.each([
  ['female', 'sex', ['F', 'Female', 'W']],
  ['Women', 'gender_code', ['F', 'Female', 'W']],
  ['boys', 'sex', ['M', 'Male']],
  // only in a column that tells the sex
  ['female', 'grade', []],
  ['lamp', 'sex', []],
])('%s in a column %s', (word, column, codes) => {
  expect(codesFor(word, column)).toEqual(codes)
})
