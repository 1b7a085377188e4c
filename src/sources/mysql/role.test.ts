import { expect, it } from 'vitest'
import { dangersOf, grantOf } from './role.ts'

const dangers = (line: string) => grantOf(line).flatMap(dangersOf)

it.each([
  'GRANT USAGE ON *.* TO `reader`@`%`',
  'GRANT SELECT, SHOW VIEW ON `shop`.* TO `reader`@`%`',
  'GRANT SELECT (`id`, `name`) ON `shop`.`customer` TO `reader`@`%`',
  'GRANT SELECT ON "odd "" name".* TO "reader"@"%"',
  'GRANT `reporting` TO `reader`@`%`',
  'SET DEFAULT ROLE `reporting` FOR `reader`@`%`',
])('%s only reads', (line) => {
  expect(dangers(line)).toEqual([])
})

it.each([
  ['GRANT ALL PRIVILEGES ON *.* TO `root`@`localhost` WITH GRANT OPTION', [/every right/, /hand its rights on/]],
  ['GRANT SELECT, FILE ON *.* TO `u`@`%`', [/files of the server/]],
  ['GRANT PROCESS, SUPER ON *.* TO `u`@`%`', [/other accounts/, /change the server/]],
  ['GRANT SELECT, INSERT, CREATE TEMPORARY TABLES ON `shop`.* TO `u`@`%`', [/INSERT, CREATE TEMPORARY TABLES on `shop`\.\*/]],
  ['GRANT SELECT (`a`, `b`), UPDATE (`c`) ON `shop`.`t` TO `u`@`%`', [/UPDATE on `shop`\.`t`/]],
  ['GRANT EXECUTE ON PROCEDURE `shop`.`p` TO `u`@`%`', [/stored routines/]],
  ['GRANT SOME_FUTURE_ADMIN ON *.* TO `u`@`%`', [/SOME_FUTURE_ADMIN/]],
] as const)('%s is dangerous', (line, expected) => {
  const found = dangers(line)
  expect(found).toHaveLength(expected.length)
  for (const [at, pattern] of expected.entries()) expect(found[at]).toMatch(pattern)
})
