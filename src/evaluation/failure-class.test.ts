import { describe, expect, it } from 'vitest'
import { failureClass, outlineOf } from './failure-class.ts'

const GOLD = "SELECT T1.name, count(*) FROM shelf AS T1 JOIN lamp AS T2 ON T1.id = T2.shelf_id WHERE T2.colour = 'red' GROUP BY T1.id ORDER BY count(*) DESC LIMIT 3"
const OURS = `select "t1"."name" as "shelf.name", count(*) as "count" from "Lamp" as "t0" inner join "Shelf" as "t1" on "t1"."id" = "t0"."shelf_id"
  where "t0"."colour" = 'red' group by "t1"."id", "t1"."name" collate binary order by count(*) desc, "t1"."id" asc limit 3`

describe('what a wrong query differs in', () => {
  it('nothing, if only the spelling and what breaks ties differ', () => {
    expect(failureClass(GOLD, OURS)).toBe('same outline')
  })

  it.each([
    ['set operation', `${GOLD} EXCEPT SELECT name, 1 FROM shelf`, OURS],
    ['nested', "SELECT name FROM lamp WHERE price > (SELECT avg(price) FROM lamp)", 'select "t0"."name" from "Lamp" as "t0"'],
    ['other number of columns', GOLD, OURS.replace(', count(*) as "count"', '')],
    ['other columns', GOLD, OURS.replace('"t1"."name" as', '"t1"."place" as')],
    ['other tables', GOLD, OURS.replaceAll('"Shelf"', '"Store"')],
    ['grouping', GOLD, OURS.replace(/group by.*binary/, '')],
    ['order or limit', GOLD, OURS.replace('count(*) desc', 'count(*) asc')],
    ['order or limit', GOLD, OURS.replace('limit 3', 'limit 1')],
    ['filter', GOLD, OURS.replace("'red'", "'blue'")],
    ['distinct', 'SELECT DISTINCT name FROM lamp', 'select "t0"."name" from "Lamp" as "t0"'],
  ])('%s', (expected, gold, ours) => {
    expect(failureClass(gold, ours)).toBe(expected)
  })

  it('a set operation may be said by nesting', () => {
    const gold = 'SELECT name FROM lamp EXCEPT SELECT name FROM lamp WHERE price > 3'
    expect(failureClass(gold, `select "t0"."name" from "Lamp" as "t0" where not exists (select 1 from "Lamp" as "t1" where "t1"."price" > 3)`)).toBe('same outline')
  })
})

describe('an outline', () => {
  it('is of the outermost select', () => {
    expect(outlineOf("SELECT max(T1.age) AS oldest FROM guest AS T1 WHERE T1.id IN (SELECT id FROM stay ORDER BY day LIMIT 5)")).toMatchObject({
      shown: ['max ( age )'], tables: ['guest', 'stay'], order: '', limit: '', nested: true, sets: '', grouped: false,
    })
  })
})
