/**
 * A shop with as many orders as asked for: customers, products, orders, with keys, references and indexes on them. Every value
 * follows from the row's number, so SQLite and PostgreSQL hold the same data and a second run makes the same again.
 */
import { DatabaseSync } from 'node:sqlite'

export const PRODUCTS = 2000
export const CUSTOMERS = 50_000

const CITIES = [
  'Berlin', 'Paris', 'Madrid', 'Rome', 'Vienna', 'Prague', 'Warsaw', 'Lisbon', 'Dublin', 'Oslo',
  'Helsinki', 'Athens', 'Zurich', 'Brussels', 'Copenhagen', 'Budapest', 'Sofia', 'Riga', 'Tallinn', 'Vilnius',
]
const CATEGORIES = ['books', 'garden', 'kitchen', 'music', 'sports', 'toys', 'tools', 'travel']
const STATUSES = ['paid', 'shipped', 'delivered', 'pending', 'returned']

const TABLES = [
  `CREATE TABLE customer (
    id INTEGER PRIMARY KEY, name VARCHAR(40) NOT NULL, city VARCHAR(20) NOT NULL, segment VARCHAR(10) NOT NULL, joined_on DATE NOT NULL)`,
  `CREATE TABLE product (
    id INTEGER PRIMARY KEY, name VARCHAR(40) NOT NULL, category VARCHAR(20) NOT NULL, price DECIMAL(10, 2) NOT NULL)`,
  `CREATE TABLE orders (
    id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL REFERENCES customer (id), product_id INTEGER NOT NULL REFERENCES product (id),
    status VARCHAR(12) NOT NULL, quantity INTEGER NOT NULL, amount DECIMAL(10, 2) NOT NULL, ordered_on DATE NOT NULL)`,
]
const INDEXES = ['orders (customer_id)', 'orders (product_id)', 'orders (status)', 'customer (city)', 'customer (name)', 'product (name)']

interface Dialect {
  /** rows 1..n under the name s, their number in the column n */
  readonly numbers: (n: number) => string
  readonly pick: (words: readonly string[], at: string) => string
  readonly day: (days: string) => string
}

const caseOf = (words: readonly string[], at: string): string =>
  `CASE ${at} ${words.map((word, n) => `WHEN ${n} THEN '${word}'`).join(' ')} END`

const SQLITE: Dialect = {
  numbers: (n) => `(WITH RECURSIVE s (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < ${n}) SELECT n FROM s) AS s`,
  pick: caseOf,
  day: (days) => `date('2023-01-01', '+' || (${days}) || ' days')`,
}
const POSTGRES: Dialect = {
  numbers: (n) => `generate_series(1, ${n}) AS s (n)`,
  pick: caseOf,
  day: (days) => `DATE '2023-01-01' + CAST(${days} AS integer)`,
}

/** Multiplying by a prime and cutting off spreads the rows evenly without any two columns going together. */
function fill({ numbers, pick, day }: Dialect, orders: number): string[] {
  return [
    `INSERT INTO customer SELECT n, 'Customer ' || n, ${pick(CITIES, `n % ${CITIES.length}`)},
      ${pick(['retail', 'trade', 'public'], 'n % 3')}, ${day('n % 1000')} FROM ${numbers(CUSTOMERS)}`,
    `INSERT INTO product SELECT n, 'Product ' || n, ${pick(CATEGORIES, `n % ${CATEGORIES.length}`)},
      1 + (n * 37 % 9900) / 100.0 FROM ${numbers(PRODUCTS)}`,
    `INSERT INTO orders SELECT n, 1 + (n * 137 % ${CUSTOMERS}), 1 + (n * 53 % ${PRODUCTS}),
      ${pick(STATUSES, `(n * 31 / 7) % ${STATUSES.length}`)}, 1 + n % 9, 1 + (n * 97 % 49900) / 100.0, ${day('(n * 13 / 11) % 1000')}
      FROM ${numbers(orders)}`,
    ...INDEXES.map((on) => `CREATE INDEX "${on.replaceAll(/\W+/g, '_')}" ON ${on}`),
  ]
}

export function shopInSqlite(file: string, orders: number): void {
  const db = new DatabaseSync(file)
  try {
    const quick = ['PRAGMA journal_mode = OFF', 'PRAGMA synchronous = OFF']
    for (const sql of [...quick, 'BEGIN', ...TABLES, ...fill(SQLITE, orders), 'COMMIT', 'ANALYZE']) db.exec(sql)
  } finally {
    db.close()
  }
}

export const shopInPostgres = (orders: number): string[] => [...TABLES, ...fill(POSTGRES, orders), 'ANALYZE']
