import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { refusal } from './statement-check.ts'

const NOTHING: ReadonlySet<string> = new Set()

describe('what the compilers write passes', () => {
  it.each([
    'select 1',
    'select "t0"."name" as "site.name" from "orders" as "t0" left join "customer" as "t1" on "t1"."id" = "t0"."customer_id" where "t1"."name" = $1 order by "t0"."id"',
    'select `t0`.`name` as `name` from `customer` as `t0` where exists (select 1 as `found` from `orders` as `t1` where `t1`.`x` = `t0`.`id`) limit ?',
    'select count(*) as "count", avg(cast("t0"."total" as double precision)) as "avg(total)" from "orders" as "t0" group by "t0"."kind" having count(*) > 1',
    'select distinct cast("t0"."a" as text) as "value" from "x" as "t0" where lower(cast("t0"."a" as text)) in ($1, $2)',
    'with "few" as (select "id" from "item") select count(*) from "few" union all select "b"."x" from (select "x" from "y") as "b"',
    'select "a"."x" from "a" as "a" where "a"."x" between $1 and $2 and not coalesce("a"."y" like $3, 1 = 0)',
    'select cast(convert(`t0`.`a` using utf8mb4) as binary) from `x` as `t0` where (`t0`.`a`, `t0`.`b`) > (?, ?)',
    `select "t0"."d" from "x" as "t0" where extract(year from "t0"."d") = 2026 and "t0"."e" is distinct from "t0"."f"`,
    `select "it's" from "a ""quoted"" table" where "b" = 'it''s; -- not a comment'`,
    'select "select", "update", "into" from "group"',
  ])('%s', (sql) => {
    expect(refusal(sql, NOTHING)).toBeNull()
  })
})

describe('anything else does not', () => {
  it.each([
    '', 'insert into a values (1)', 'explain select 1', 'set x = 1', 'show grants', 'table a', 'values (1)', '(select 1)', 'begin',
    'select 1; select 2', 'select 1;', 'select 1 -- x', 'select /* x */ 1', 'select /*! 1 */', 'select 1 # x',
    'with x as (delete from a returning 1) select 1', 'with x as (insert into a values (1)) select 1', 'with x as (update a set b = 1) select 1',
    'select * into b from a', "select 1 into outfile '/tmp/x'", 'select a from b for update', 'select a from b lock in share mode',
    'select a from b procedure analyse()',
    "select pg_read_file('/etc/passwd')", 'select pg_sleep(5)', 'select "pg_sleep"(5)', 'select sleep(5)', 'select sleep (5)', 'select `sleep`(5)',
    "select load_file('/etc/passwd')", "select set_config('statement_timeout', '0', false)", 'select benchmark(1000, 1)', 'select my_function(1)',
    "select query_to_xml('select 1', true, true, '')", 'select * from generate_series(1, 10)', "select lo_import('/etc/passwd')",
    'select rolname from pg_authid', 'select 1 from "pg_authid"', 'select 1 from pg_catalog.pg_class', 'select 1 from information_schema.tables',
    'select user from mysql.user', 'select `user` from `mysql`.`user`', 'select 1 from other.secret', 'select 1 from "a", "other"."secret"',
    'select 1 from "a" join "other"."secret" on 1 = 1', 'select 1 from ("a" join "other"."secret" on 1 = 1)',
    'select 1 from "a" join "b" on "a"."x" = "b"."x", "other"."secret"',
    'select @@datadir', 'select @x', 'select $$x$$', "select E'\\''", "select U&'x'", "select X'41'", "select _utf8'x'", 'select u&"x"',
    'select a from b natural join c', 'select a from b join c using (x)', "select 'open", 'select "open', 'select (1', 'select 1)', 'select a ~ b',
    'select \u00a01', "select 'a'\"b\"", 'select \\x',
  ])('%s', (sql) => {
    expect(refusal(sql, NOTHING)).not.toBeNull()
  })
})

it("takes a customer's own name that looks like the system's", () => {
  expect(refusal('select "pg_rating" from "film"', NOTHING)).not.toBeNull()
  expect(refusal('select "pg_rating" from "film"', new Set(['pg_rating']))).toBeNull()
  expect(refusal('select "sys"."x" from "sys" as "sys"', new Set(['sys']))).toBeNull()
})

it('a name in quotes is never more than a name, whatever it holds', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }).filter((name) => !name.includes('\0') && !name.toLowerCase().startsWith('pg_')), (name) => {
      expect(refusal(`select "t0"."${name.replaceAll('"', '""')}" from "x" as "t0"`, NOTHING)).toBeNull()
    }),
  )
})

it('takes time in proportion to the text', () => {
  const long = `select ${'"a", '.repeat(50_000)}"b" from "c"`
  expect(refusal(long, NOTHING)).toBeNull()
  expect(refusal(`select '${"''".repeat(200_000)}`, NOTHING)).not.toBeNull()
})
