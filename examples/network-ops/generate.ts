/**
 * Writes the network operations database: the planted story and, around it, a network where nothing is wrong.
 * `node examples/network-ops/generate.ts [file]`. The same seed gives the same rows.
 */
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { MAINTENANCE, RESOURCES, SERVICES, SUBSCRIPTIONS } from './planted.ts'
import { SCHEMA } from './schema.ts'
import { type Chance, type Insert, writeExample } from '../seeded.ts'

export const NETWORK_OPS_FILE = join(dirname(fileURLToPath(import.meta.url)), 'network-ops.sqlite')

const NOW = Date.parse('2026-03-02T09:00:00Z')
const HOUR = 3_600_000

export const generateNetworkOps = (file: string, seed = 7): void => writeExample(file, SCHEMA, seed, fill)

function fill(insert: Insert, chance: Chance): void {
  const sites = SITES.map(([name, city, country]) => insert('site', { name, city, country }))
  const resources = fillResources(insert, chance, sites)
  fillLinks(insert, chance, [...resources])
  const services = fillServices(insert, chance, resources)
  const customers = fillCustomers(insert, chance, services)
  fillAlarmsAndTickets(insert, chance, resources, customers)
  fillMaintenance(insert, chance, resources, services)
  fillKpis(insert, chance, resources)
}

type Ids = ReadonlyMap<string, number>
const idOf = (ids: Ids, name: string): number => {
  const id = ids.get(name)
  if (id === undefined) throw new Error(`nothing is called ${name}`)
  return id
}
/** Names that the background may use freely: nothing planted hangs on them. */
const background = (ids: Ids, planted: Readonly<Record<string, unknown>>): string[] =>
  [...ids.keys()].filter((name) => !Object.hasOwn(planted, name))

function fillResources(insert: Insert, chance: Chance, sites: readonly number[]): Ids {
  const ids = new Map<string, number>()
  const groups = new Map<string, number>()
  const group = (name: string): number => {
    const id = groups.get(name) ?? insert('redundancy_group', { name, mode: chance.pick(['active-active', 'active-standby']) })
    groups.set(name, id)
    return id
  }
  for (const { prefix, kind, role, count } of FLEET) {
    for (let n = 1; n <= count; n += 1) {
      const name = `${prefix}-${String(n).padStart(2, '0')}`
      const planted = RESOURCES[name]
      // neighbours in number stand by for each other, about two pairs in three
      const pair = Math.ceil(n / 2)
      const groupId = planted !== undefined ? group(planted.group) : pair % 3 === 0 ? null : group(`${prefix}-pair-${pair}`)
      const id = insert('resource', {
        name, kind, role,
        status: planted?.status ?? 'ok',
        vendor: chance.pick(['Arvon', 'Kestrel Networks', 'Tandem Systems']),
        management_ip: `10.${chance.below(200)}.${chance.below(250)}.${n}`,
        installed_on: day(NOW - chance.below(3000) * 24 * HOUR),
        site_id: chance.pick(sites),
        redundancy_group_id: groupId,
      })
      ids.set(name, id)
    }
  }
  return ids
}

function fillLinks(insert: Insert, chance: Chance, resources: readonly (readonly [string, number])[]): void {
  for (const [at, [name, id]] of resources.entries()) {
    const others = resources.slice(at + 1)
    for (const [other, otherId] of chance.some(others, Math.min(2, others.length))) {
      insert('link', {
        name: `${name}--${other}`, capacity_gbps: chance.pick([10, 40, 100, 400]), state: chance.below(25) === 0 ? 'down' : 'up',
        a_resource_id: id, z_resource_id: otherId,
      })
    }
  }
}

function fillServices(insert: Insert, chance: Chance, resources: Ids): Ids {
  const ids = new Map<string, number>()
  const add = (name: string, category: string): number => {
    const id = insert('service', { name, category, launched_on: day(NOW - chance.below(2500) * 24 * HOUR) })
    ids.set(name, id)
    return id
  }
  for (const [name, { category }] of Object.entries(SERVICES)) add(name, category)
  for (const [name, { on, dependsOn = [] }] of Object.entries(SERVICES)) {
    for (const resource of on) insert('service_resource', { service_id: idOf(ids, name), resource_id: idOf(resources, resource) })
    for (const other of dependsOn) {
      insert('service_dependency', { service_id: idOf(ids, name), depends_on_service_id: idOf(ids, other) })
    }
  }
  const healthy = background(resources, RESOURCES)
  const earlier: number[] = []
  for (const region of REGIONS) {
    for (const [product, category] of PRODUCTS) {
      const id = add(`${product} ${region}`, category)
      for (const name of chance.some(healthy, 1 + chance.below(3))) {
        insert('service_resource', { service_id: id, resource_id: idOf(resources, name) })
      }
      for (const other of chance.some(earlier, Math.min(chance.below(3), earlier.length))) {
        insert('service_dependency', { service_id: id, depends_on_service_id: other })
      }
      earlier.push(id)
    }
  }
  return ids
}

function fillCustomers(insert: Insert, chance: Chance, services: Ids): Ids {
  const slas = SLAS.map(([name, availability_percent, response_minutes, penalty_per_hour]) =>
    insert('sla', { name, availability_percent, response_minutes, penalty_per_hour }),
  )
  const ids = new Map<string, number>()
  const add = (name: string, segment: string): number => {
    const known = ids.get(name)
    if (known !== undefined) return known
    const person = `${chance.pick(FIRST_NAMES)} ${chance.pick(LAST_NAMES)}`
    const domain = name.toLowerCase().replaceAll(' ', '-')
    const id = insert('customer', {
      name, segment,
      country: chance.pick(['DE', 'NL', 'FR', 'PL', 'SE']),
      contact_name: person,
      contact_email: `${person.toLowerCase().replace(' ', '.')}@${domain}.example`,
      contact_phone: `+49 ${100 + chance.below(800)} ${1_000_000 + chance.below(8_999_999)}`,
      contract_value: 1000 * (5 + chance.below(900)),
    })
    ids.set(name, id)
    return id
  }
  const subscribe = (customer: number, service: number, status: 'active' | 'expired'): void => {
    const start = NOW - (200 + chance.below(1200)) * 24 * HOUR
    insert('subscription', {
      customer_id: customer, service_id: service, sla_id: chance.pick(slas), status,
      started_on: day(start), ended_on: status === 'expired' ? day(start + 150 * 24 * HOUR) : null,
    })
  }
  for (const [name, segment, service, status] of SUBSCRIPTIONS) subscribe(add(name, segment), idOf(services, service), status)
  const others = background(services, SERVICES)
  for (const first of COMPANY_FIRST) {
    for (const second of COMPANY_SECOND) {
      const customer = add(`${first} ${second}`, chance.pick(['retail', 'finance', 'media', 'manufacturing', 'public sector']))
      for (const service of chance.some(others, 1 + chance.below(4))) {
        subscribe(customer, idOf(services, service), chance.below(6) === 0 ? 'expired' : 'active')
      }
    }
  }
  return ids
}

function fillAlarmsAndTickets(insert: Insert, chance: Chance, resources: Ids, customers: Ids): void {
  const raise = (resource: string, severity: string, state: string, title: string): void => {
    const raised = NOW - (1 + chance.below(700)) * HOUR
    const alarm = insert('alarm', {
      resource_id: idOf(resources, resource), severity, state, title,
      raised_at: time(raised), cleared_at: state === 'cleared' ? time(raised + (1 + chance.below(20)) * HOUR) : null,
    })
    if (severity === 'critical' || chance.below(3) === 0) {
      insert('ticket', {
        title: `${title} on ${resource}`, priority: severity === 'critical' ? 'P1' : chance.pick(['P2', 'P3']),
        status: state === 'open' ? 'in_work' : 'closed', opened_at: time(raised + 600_000), alarm_id: alarm, customer_id: null,
      })
    }
  }
  for (const [resource, { alarms }] of Object.entries(RESOURCES)) {
    for (const [severity, state, title] of alarms) raise(resource, severity, state, title)
  }
  for (const resource of background(resources, RESOURCES)) {
    for (let n = chance.below(4); n > 0; n -= 1) {
      const severity = chance.pick(['critical', 'major', 'minor', 'warning'])
      // an open critical alarm stands only where it was planted
      const state = severity !== 'critical' && chance.below(4) === 0 ? 'open' : 'cleared'
      raise(resource, severity, state, chance.pick(ALARM_TITLES))
    }
  }
  for (const [name, id] of customers) {
    if (chance.below(3) > 0) continue
    insert('ticket', {
      title: `${chance.pick(['Slow response', 'Invoice question', 'New site request', 'Packet loss report'])} (${name})`,
      priority: 'P4', status: chance.pick(['in_work', 'closed']), opened_at: time(NOW - chance.below(900) * HOUR),
      alarm_id: null, customer_id: id,
    })
  }
}

function fillMaintenance(insert: Insert, chance: Chance, resources: Ids, services: Ids): void {
  const add = (title: string, state: string, about: { service_id: number | null; resource_id: number | null }): void => {
    const hours = state === 'planned' ? 24 + chance.below(300) : state === 'done' ? -24 - chance.below(600) : -1
    const [starts_at, ends_at] = [time(NOW + hours * HOUR), time(NOW + (hours + 4) * HOUR)]
    insert('maintenance_window', { title, state, starts_at, ends_at, ...about })
  }
  for (const { title, state, service, resource } of MAINTENANCE) {
    add(title, state, {
      service_id: service === undefined ? null : idOf(services, service),
      resource_id: resource === undefined ? null : idOf(resources, resource),
    })
  }
  const states = ['planned', 'done', 'done', 'in_progress']
  for (const name of chance.some(background(resources, RESOURCES), 25)) {
    add('Software upgrade', chance.pick(states), { service_id: null, resource_id: idOf(resources, name) })
  }
  for (const name of chance.some(background(services, SERVICES), 15)) {
    add('Configuration change', chance.pick(states), { service_id: idOf(services, name), resource_id: null })
  }
}

function fillKpis(insert: Insert, chance: Chance, resources: Ids): void {
  for (const [name, id] of resources) {
    const loaded = RESOURCES[name]?.status === 'degraded'
    for (const [metric, unit, usual, spread] of KPIS) {
      for (let n = 0; n < 3; n += 1) {
        const value = usual + chance.below(spread) + (loaded ? spread : 0)
        insert('kpi_sample', { resource_id: id, metric, value: value / 10, unit, measured_at: time(NOW - n * 6 * HOUR) })
      }
    }
  }
}

const FLEET = [
  { prefix: 'crt', kind: 'router', role: 'core', count: 12 },
  { prefix: 'ert', kind: 'router', role: 'edge', count: 36 },
  { prefix: 'agg', kind: 'switch', role: 'aggregation', count: 16 },
  { prefix: 'asw', kind: 'switch', role: 'access', count: 40 },
  ...['amf', 'smf', 'upf', 'fw', 'dns', 'ims', 'pcf'].map((name) => ({
    prefix: `nf-${name}`, kind: 'network_function', role: 'control', count: 4,
  })),
]
const SITES = [
  ['HAM-1', 'Hamburg', 'DE'], ['BER-2', 'Berlin', 'DE'], ['MUC-1', 'Munich', 'DE'], ['FRA-3', 'Frankfurt', 'DE'],
  ['AMS-1', 'Amsterdam', 'NL'], ['RTM-1', 'Rotterdam', 'NL'], ['PAR-2', 'Paris', 'FR'], ['LYS-1', 'Lyon', 'FR'],
  ['WAW-1', 'Warsaw', 'PL'], ['GOT-1', 'Gothenburg', 'SE'],
] as const
const REGIONS = ['Hanse', 'Baltic', 'Alpine', 'Rhine', 'Harbor', 'Delta', 'Lakeland'] as const
const PRODUCTS = [
  ['Business Internet', 'connectivity'], ['Ethernet Line', 'connectivity'], ['Private Cloud Access', 'connectivity'],
  ['Wavelength', 'transport'], ['Mobile Backhaul', 'transport'], ['SIP Trunk', 'voice'], ['Call Center', 'voice'],
  ['DDoS Protection', 'security'], ['Secure Web Gateway', 'security'],
  ['IoT Connect', 'application'], ['Edge Compute', 'application'],
] as const
const SLAS = [
  ['Bronze', 99, 480, 50], ['Silver', 99.5, 240, 150], ['Gold', 99.9, 60, 600], ['Platinum', 99.99, 15, 2500],
] as const
const KPIS = [
  ['cpu_load', 'percent', 150, 400], ['packet_loss', 'percent', 0, 5], ['temperature', 'celsius', 280, 200],
] as const
const ALARM_TITLES = [
  'Fan speed out of range', 'Optical power low', 'Interface flapping', 'Link down', 'High temperature', 'Configuration drift',
  'Clock drift', 'Power supply redundancy lost', 'Neighbour lost',
] as const
const FIRST_NAMES = ['Anna', 'Bela', 'Cem', 'Dora', 'Emil', 'Freya', 'Goran', 'Hanne', 'Ivo', 'Jule'] as const
const LAST_NAMES = ['Adler', 'Brandt', 'Costa', 'Dietz', 'Engel', 'Fiala', 'Gruber', 'Holm', 'Ibsen', 'Jansen'] as const
const COMPANY_FIRST = ['Aster', 'Birch', 'Cedar', 'Dune', 'Ember', 'Fjord', 'Glade', 'Heron', 'Iris', 'Jasper', 'Kelp'] as const
const COMPANY_SECOND = ['Textiles', 'Freight', 'Labs', 'Stores', 'Capital', 'Studios', 'Foods', 'Tools', 'Travel'] as const

const day = (ms: number): string => new Date(ms).toISOString().slice(0, 10)
const time = (ms: number): string => new Date(ms).toISOString().replace('.000', '')

if (import.meta.main) {
  const file = process.argv[2] ?? NETWORK_OPS_FILE
  generateNetworkOps(file)
  console.log(`wrote ${file}`)
}
