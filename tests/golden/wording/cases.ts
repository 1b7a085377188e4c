/** The golden sentences: a plan and what it found, by the group whose file holds the sentence. */
import type { Plan } from '../../../src/contracts/index.ts'
import type { Cell } from '../../../src/sources/index.ts'

export interface WordingCase {
  readonly group: string
  readonly name: string
  readonly plan: Partial<Plan> & Pick<Plan, 'from' | 'select'>
  readonly rows: readonly (readonly Cell[])[]
  readonly truncated?: boolean
  readonly ties?: number
  /** the values of each record behind folded rows; of a list they are its rows */
  readonly evidence?: readonly (readonly Cell[])[]
}

const names = (count: number, stem = 'crt'): Cell[][] => Array.from({ length: count }, (_, at) => [`${stem}-${String(at + 1).padStart(2, '0')}`])
const name = [{ path: ['name'] }]
const count = [{ aggregate: 'count' as const }]
const open = { path: ['state'], op: '=' as const, value: 'open' }
const critical = { path: ['severity'], op: '=' as const, value: 'critical' }

export const WORDING_CASES: readonly WordingCase[] = [
  { group: 'lists', name: 'one', plan: { from: 'Resource', select: name }, rows: names(1) },
  { group: 'lists', name: 'two', plan: { from: 'Resource', select: name, where: [{ path: ['status'], op: '=', value: 'degraded' }] }, rows: names(2) },
  { group: 'lists', name: 'twenty', plan: { from: 'Resource', select: name }, rows: names(20) },
  { group: 'lists', name: 'thirty-three', plan: { from: 'Resource', select: name }, rows: names(33) },
  { group: 'lists', name: 'as many as were read', plan: { from: 'Resource', select: name }, rows: names(200), truncated: true },
  { group: 'lists', name: 'some of them', plan: { from: 'Resource', select: name, limit: 3 }, rows: names(3) },
  {
    group: 'lists', name: 'several columns',
    plan: { from: 'Resource', select: [{ path: ['name'] }, { path: ['site', 'name'] }, { path: ['status'] }, { path: ['site', 'city'] }] },
    rows: [['crt-07', 'Berlin Mitte', 'active', 'Berlin'], ['crt-08', 'Hamburg', 'degraded', 'Hamburg']],
  },
  { group: 'lists', name: 'without the name', plan: { from: 'Alarm', select: [{ path: ['severity'] }], where: [open] }, rows: [['critical'], ['major'], ['critical']] },
  {
    group: 'lists', name: 'several columns without the name', plan: { from: 'Alarm', select: [{ path: ['severity'] }, { path: ['state'] }] },
    rows: [['critical', 'open'], ['major', 'cleared']],
  },
  {
    group: 'lists', name: 'what one record has',
    plan: { from: 'Resource', select: [{ path: ['status'] }, { path: ['vendor'] }, { path: ['load_percent'] }], where: [{ path: ['name'], op: '=', value: 'crt-07' }] },
    rows: [['degraded', null, 93.5]],
  },
  { group: 'lists', name: 'different values', plan: { from: 'Resource', select: [{ path: ['vendor'] }], distinct: true }, rows: [['Ciena'], ['Nokia'], ['Juniper']] },
  {
    group: 'lists', name: 'different combinations', plan: { from: 'Resource', select: [{ path: ['vendor'] }, { path: ['status'] }], distinct: true },
    rows: [['Ciena', 'active'], [null, 'active']],
  },
  {
    group: 'lists', name: 'with what belongs to them', plan: { from: 'Resource', select: [{ path: ['name'] }, { path: ['^Alarm.resource', 'title'] }] },
    rows: [['crt-07', 'Fan failed'], ['crt-07', 'Link down'], ['crt-08', null]],
  },
  { group: 'lists', name: 'names with commas', plan: { from: 'Customer', select: name }, rows: [['Smith, Jane'], ['Doe, John'], ['Roe, Richard']] },

  { group: 'nulls', name: 'a detail', plan: { from: 'Resource', select: [{ path: ['name'] }, { path: ['vendor'] }, { path: ['site', 'name'] }] }, rows: [['crt-07', null, null], ['crt-08', 'Nokia', 'Berlin']] },
  { group: 'nulls', name: 'a name', plan: { from: 'Resource', select: name }, rows: [['crt-07'], [null]] },
  { group: 'nulls', name: 'the only value', plan: { from: 'Resource', select: [{ path: ['vendor'] }], where: [{ path: ['name'], op: '=', value: 'crt-07' }] }, rows: [[null]] },
  { group: 'nulls', name: 'one of the different values', plan: { from: 'Resource', select: [{ path: ['vendor'] }], distinct: true }, rows: [[null], ['Ciena'], ['Nokia']] },
  { group: 'nulls', name: 'no different value at all', plan: { from: 'Resource', select: [{ path: ['vendor'] }], distinct: true }, rows: [[null]] },
  { group: 'nulls', name: 'a group', plan: { from: 'Resource', select: [{ path: ['vendor'] }, ...count], group_by: [['vendor']] }, rows: [[null, 4], ['Nokia', 2]] },
  {
    group: 'nulls', name: 'an average', plan: { intent: 'aggregate', from: 'Resource', select: [{ path: ['power'], aggregate: 'avg' }] }, rows: [[null]], evidence: [[null]],
  },
  { group: 'nulls', name: 'sorted first', plan: { from: 'Resource', select: [{ path: ['name'] }, { path: ['power'] }], order_by: [{ by: { path: ['power'] }, direction: 'asc' }], limit: 1 }, rows: [['crt-07', null]] },
  { group: 'nulls', name: 'asked for', plan: { from: 'Resource', select: name, where: [{ path: ['vendor'], op: 'is_null' }, { path: ['site', 'city'], op: 'is_null' }] }, rows: names(2) },

  { group: 'nothing', name: 'a list', plan: { from: 'Alarm', select: [{ path: ['title'] }], where: [open, critical] }, rows: [] },
  { group: 'nothing', name: 'a count', plan: { intent: 'count', from: 'Alarm', select: count, where: [open] }, rows: [[0]], evidence: [] },
  { group: 'nothing', name: 'an average', plan: { intent: 'aggregate', from: 'Resource', select: [{ path: ['power'], aggregate: 'avg' }] }, rows: [[null]], evidence: [] },
  { group: 'nothing', name: 'groups', plan: { from: 'Subscription', select: [{ path: ['customer', 'name'] }, ...count], group_by: [['customer']], having: [{ by: { aggregate: 'count' }, op: '>', value: 2 }] }, rows: [] },
  { group: 'nothing', name: 'in both sets', plan: { from: 'Site', select: [{ path: ['city'] }], set_op: { op: 'intersect', plan: full({ from: 'Site', select: [{ path: ['city'] }], where: [{ path: ['name'], op: '=', value: 'X' }] }) } }, rows: [] },

  { group: 'values', name: 'dates', plan: { from: 'Resource', select: [{ path: ['name'] }, { path: ['installed_on'] }] }, rows: [['crt-07', '2026-03-12'], ['crt-08', '2025-02-31x']] },
  { group: 'values', name: 'dates with a time', plan: { from: 'Alarm', select: [{ path: ['title'] }, { path: ['raised_at'] }] }, rows: [['Fan failed', '2026-03-12 10:15:00'], ['Link down', '2026-03-12T10:15:30.250Z'], ['Reset', '2026-03-12T00:00:00+02:00']] },
  { group: 'values', name: 'numbers', plan: { from: 'Resource', select: [{ path: ['name'] }, { path: ['power'] }, { path: ['year'] }, { path: ['id'] }] }, rows: [['a', 1234567.891, 2019, 1234567], ['b', 0.000123456789, 1999, 7], ['c', 3.24159265, 2024, 8], ['d', 25000, 2024, 9]] },
  { group: 'values', name: 'beyond what a number holds', plan: { from: 'Resource', select: [{ path: ['power'], aggregate: 'sum' }], intent: 'aggregate' }, rows: [[12345678901234567890n]], evidence: [[1n]] },
  { group: 'values', name: 'yes and no', plan: { from: 'Customer', select: [{ path: ['name'] }, { path: ['is_active'] }] }, rows: [['Acme Retail', 1], ['Borealis', false]] },
  { group: 'values', name: 'a long text', plan: { from: 'Alarm', select: [{ path: ['title'] }] }, rows: [['word '.repeat(60)], ['short']] },
  { group: 'values', name: 'text that looks like a citation, breaks lines or turns around', plan: { from: 'Alarm', select: [{ path: ['title'] }] }, rows: [['see [3]\nand\u0000[12]'], ['\u202Etxt'], ['']] },
  { group: 'values', name: 'bytes', plan: { from: 'Alarm', select: [{ path: ['title'] }, { path: ['state'] }] }, rows: [['x', new Uint8Array(12)]] },

  { group: 'units', name: 'in the name of a property', plan: { from: 'Alarm', select: [{ path: ['title'] }, { path: ['duration_ms'] }] }, rows: [['Fan failed', 12], ['Link down', 45000]] },
  { group: 'units', name: 'percent', plan: { from: 'Resource', select: [{ path: ['load_percent'], aggregate: 'avg' }], intent: 'aggregate' }, rows: [[93]], evidence: [[93]] },
  { group: 'units', name: 'money in groups', plan: { from: 'Customer', select: [{ path: ['segment'] }, { path: ['revenue_usd'], aggregate: 'sum' }], group_by: [['segment']], intent: 'aggregate' }, rows: [['retail', 1200000.5], ['public', 900]] },
  { group: 'units', name: 'in the label', plan: { from: 'LabResult', select: [{ path: ['analyte'] }, { path: ['value'] }] }, rows: [['hemoglobin', 12.4], ['albumin', 4]] },
  { group: 'units', name: 'in a column of its own', plan: { from: 'LabResult', select: [{ path: ['analyte'] }, { path: ['value'] }, { path: ['unit'] }] }, rows: [['hemoglobin', 12.4, 'g/dL'], ['albumin', 40, 'g/L']] },
  { group: 'units', name: 'in a condition', plan: { from: 'Resource', select: name, where: [{ path: ['load_percent'], op: '>', value: 90 }, { path: ['power'], op: 'between', value: [100, 20000] }] }, rows: names(2) },

  { group: 'counts', name: 'one', plan: { intent: 'count', from: 'Alarm', select: count, where: [open] }, rows: [[1]] },
  { group: 'counts', name: 'many', plan: { intent: 'count', from: 'Alarm', select: count, where: [open, critical] }, rows: [[1234]], evidence: [[], []] },
  { group: 'counts', name: 'different values', plan: { intent: 'count', from: 'Resource', select: [{ path: ['vendor'], aggregate: 'count_distinct' }] }, rows: [[3]], evidence: [['a'], ['b'], ['c']] },
  { group: 'counts', name: 'one different value', plan: { intent: 'count', from: 'Resource', select: [{ path: ['vendor'], aggregate: 'count_distinct' }] }, rows: [[1]], evidence: [['a']] },
  { group: 'counts', name: 'records that belong to others', plan: { intent: 'count', from: 'Resource', select: [{ path: ['^Alarm.resource'], aggregate: 'count' }] }, rows: [[12]], evidence: [[1]] },
  { group: 'counts', name: 'an average that is shortened', plan: { intent: 'aggregate', from: 'Resource', select: [{ path: ['power'], aggregate: 'avg' }], where: [{ path: ['kind'], op: '=', value: 'router' }] }, rows: [[12.3456789]], evidence: [[12]] },
  { group: 'counts', name: 'several at once', plan: { intent: 'aggregate', from: 'Resource', select: [{ aggregate: 'count' }, { path: ['power'], aggregate: 'avg' }, { path: ['power'], aggregate: 'max' }, { path: ['installed_on'], aggregate: 'min' }] }, rows: [[12, 250.5, 900, '2019-05-01']], evidence: [[1, 1, '2019-05-01']] },
  { group: 'counts', name: 'the last in the alphabet', plan: { intent: 'aggregate', from: 'Resource', select: [{ path: ['name'], aggregate: 'max' }, { path: ['power'], aggregate: 'sum' }] }, rows: [['zrt-09', 100]], evidence: [['zrt-09', 100]] },

  { group: 'groups', name: 'counted', plan: { intent: 'count', from: 'Alarm', select: [{ path: ['severity'] }, ...count], where: [open], group_by: [['severity']] }, rows: [['critical', 4], ['major', 7], ['minor', 2]] },
  { group: 'groups', name: 'by a record', plan: { intent: 'count', from: 'Alarm', select: [{ path: ['resource', 'name'] }, ...count], group_by: [['resource']] }, rows: [['crt-07', 5], ['crt-08', 2]] },
  { group: 'groups', name: 'by two', plan: { intent: 'count', from: 'Alarm', select: [{ path: ['severity'] }, { path: ['state'] }, ...count], group_by: [['severity'], ['state']] }, rows: [['critical', 'open', 4], ['major', null, 7]] },
  { group: 'groups', name: 'several aggregates', plan: { intent: 'aggregate', from: 'Resource', select: [{ path: ['site', 'name'] }, ...count, { path: ['load_percent'], aggregate: 'avg' }], group_by: [['site']] }, rows: [['Berlin', 3, 71.25], ['Hamburg', 1, null]] },
  { group: 'groups', name: 'an average', plan: { intent: 'aggregate', from: 'Resource', select: [{ path: ['vendor'] }, { path: ['power'], aggregate: 'avg' }], group_by: [['vendor']] }, rows: [['Ciena', 12.5], ['Nokia', 1 / 3]] },
  { group: 'groups', name: 'more than twenty', plan: { intent: 'count', from: 'Alarm', select: [{ path: ['resource', 'name'] }, ...count], group_by: [['resource']] }, rows: names(23).map((row, at) => [...row, 50 - at]) },
  { group: 'groups', name: 'as many as were read', plan: { intent: 'count', from: 'Alarm', select: [{ path: ['severity'] }, ...count], group_by: [['severity']] }, rows: [['critical', 4], ['major', 7]], truncated: true },
  { group: 'groups', name: 'only numbers shown', plan: { intent: 'count', from: 'Alarm', select: count, group_by: [['severity']] }, rows: [[4], [7]] },
  { group: 'groups', name: 'no number shown', plan: { from: 'Alarm', select: [{ path: ['resource', 'name'] }], group_by: [['resource']], where: [open] }, rows: names(2) },
  { group: 'groups', name: 'compared', plan: { intent: 'compare', from: 'Alarm', select: [{ path: ['resource', 'name'] }, ...count], group_by: [['resource']], where: [{ path: ['resource', 'name'], op: 'in', value: ['crt-07', 'crt-08'] }] }, rows: [['crt-07', 5], ['crt-08', 2]] },
  { group: 'groups', name: 'compared and equal', plan: { intent: 'compare', from: 'Resource', select: [{ path: ['vendor'] }, { path: ['power'], aggregate: 'avg' }], group_by: [['vendor']] }, rows: [['Ciena', 5], ['Nokia', 5]] },

  { group: 'having', name: 'more than', plan: { from: 'Subscription', select: [{ path: ['customer', 'name'] }, ...count], group_by: [['customer']], having: [{ by: { aggregate: 'count' }, op: '>', value: 2 }], where: [{ path: ['status'], op: '=', value: 'active' }] }, rows: [['Acme Retail', 4], ['Borealis', 3], ['Harbor Bank', 3]] },
  { group: 'having', name: 'one', plan: { from: 'Subscription', select: [{ path: ['customer', 'name'] }], group_by: [['customer']], having: [{ by: { aggregate: 'count' }, op: '>=', value: 1 }] }, rows: [['Acme Retail']] },
  { group: 'having', name: 'fewer than', plan: { from: 'Subscription', select: [{ path: ['customer', 'name'] }], group_by: [['customer']], having: [{ by: { aggregate: 'count' }, op: '<', value: 2 }] }, rows: [['Acme Retail'], ['Borealis']] },
  { group: 'having', name: 'from the other side', plan: { from: 'Customer', select: name, group_by: [['name']], having: [{ by: { path: ['^Subscription.customer'], aggregate: 'count' }, op: 'between', value: [2, 5] }] }, rows: [['Acme Retail'], ['Borealis']] },
  { group: 'having', name: 'an average', plan: { from: 'Resource', select: [{ path: ['site', 'name'] }, { path: ['load_percent'], aggregate: 'avg' }], group_by: [['site']], having: [{ by: { path: ['load_percent'], aggregate: 'avg' }, op: '>', value: 80 }], where: [{ path: ['kind'], op: '=', value: 'router' }] }, rows: [['Berlin', 91.5]] },
  { group: 'having', name: 'above an average', plan: { from: 'Subscription', select: [{ path: ['customer', 'name'] }], group_by: [['customer']], having: [{ by: { aggregate: 'count' }, op: '>', plan: full({ from: 'Subscription', select: count }) }] }, rows: [['Acme Retail']] },

  { group: 'superlatives', name: 'the most', plan: { from: 'Alarm', select: [{ path: ['resource', 'name'] }, ...count], group_by: [['resource']], where: [open], order_by: [{ by: { aggregate: 'count' }, direction: 'desc' }], limit: 1 }, rows: [['crt-07', 5]], ties: 0 },
  { group: 'superlatives', name: 'the most, tied', plan: { from: 'Alarm', select: [{ path: ['resource', 'name'] }, ...count], group_by: [['resource']], where: [open], order_by: [{ by: { aggregate: 'count' }, direction: 'desc' }], limit: 1 }, rows: [['crt-07', 5]], ties: 2 },
  { group: 'superlatives', name: 'the most, number not shown', plan: { from: 'Alarm', select: [{ path: ['resource', 'name'] }], group_by: [['resource']], order_by: [{ by: { aggregate: 'count' }, direction: 'desc' }], limit: 1 }, rows: [['crt-07']] },
  { group: 'superlatives', name: 'the fewest', plan: { from: 'Alarm', select: [{ path: ['resource', 'name'] }, ...count], group_by: [['resource']], order_by: [{ by: { aggregate: 'count' }, direction: 'asc' }], limit: 1 }, rows: [['crt-09', 1]] },
  { group: 'superlatives', name: 'three groups, tied at the end', plan: { from: 'Alarm', select: [{ path: ['resource', 'name'] }, ...count], group_by: [['resource']], order_by: [{ by: { aggregate: 'count' }, direction: 'desc' }], limit: 3 }, rows: [['crt-07', 5], ['crt-08', 4], ['crt-09', 4]], ties: 1 },
  { group: 'superlatives', name: 'the most among some', plan: { from: 'Alarm', select: [{ path: ['resource', 'name'] }, ...count], group_by: [['resource']], having: [{ by: { path: ['duration_ms'], aggregate: 'avg' }, op: '<', value: 100 }], order_by: [{ by: { aggregate: 'count' }, direction: 'desc' }], limit: 1 }, rows: [['crt-07', 5]] },
  { group: 'superlatives', name: 'the highest average', plan: { from: 'Resource', select: [{ path: ['site', 'name'] }, { path: ['load_percent'], aggregate: 'avg' }], group_by: [['site']], order_by: [{ by: { path: ['load_percent'], aggregate: 'avg' }, direction: 'desc' }], limit: 1 }, rows: [['Berlin', 91.5]] },
  { group: 'superlatives', name: 'one record', plan: { from: 'Resource', select: [{ path: ['name'] }, { path: ['power'] }], order_by: [{ by: { path: ['power'] }, direction: 'desc' }], limit: 1 }, rows: [['crt-07', 900]] },
  { group: 'superlatives', name: 'one record, tied', plan: { from: 'Resource', select: [{ path: ['name'] }, { path: ['power'] }], order_by: [{ by: { path: ['power'] }, direction: 'desc' }], limit: 1 }, rows: [['crt-07', 900]], ties: 1 },
  { group: 'superlatives', name: 'three records', plan: { from: 'Resource', select: [{ path: ['name'] }, { path: ['load_percent'] }], order_by: [{ by: { path: ['load_percent'] }, direction: 'desc' }], limit: 3 }, rows: [['crt-07', 99], ['crt-08', 98], ['crt-09', 97]], ties: 0 },
  { group: 'superlatives', name: 'the last to happen', plan: { from: 'Alarm', select: [{ path: ['title'] }, { path: ['raised_at'] }], where: [critical], order_by: [{ by: { path: ['raised_at'] }, direction: 'desc' }], limit: 1 }, rows: [['Fan failed', '2026-03-12 10:15:00']] },
  { group: 'superlatives', name: 'the value alone', plan: { from: 'Resource', select: [{ path: ['power'] }], order_by: [{ by: { path: ['power'] }, direction: 'desc' }], limit: 1 }, rows: [[900]] },
  { group: 'superlatives', name: 'by a value that may be missing and is not shown', plan: { from: 'Resource', select: name, order_by: [{ by: { path: ['power'] }, direction: 'asc' }], limit: 2 }, rows: names(2) },

  { group: 'conditions', name: 'of what it belongs to', plan: { from: 'Alarm', select: [{ path: ['title'] }], where: [open, { path: ['resource', 'name'], op: '=', value: 'crt-07' }] }, rows: [['Fan failed']] },
  { group: 'conditions', name: 'farther away', plan: { from: 'Alarm', select: [{ path: ['title'] }], where: [{ path: ['resource', 'site', 'name'], op: '=', value: 'Berlin' }, { path: ['resource', 'status'], op: '=', value: 'degraded' }] }, rows: [['Fan failed'], ['Link down']] },
  { group: 'conditions', name: 'that something exists', plan: { from: 'Resource', select: name, where: [{ path: ['^Alarm.resource'], op: 'exists', where: [open, critical] }] }, rows: names(2) },
  { group: 'conditions', name: 'one record of many', plan: { from: 'Resource', select: name, where: [{ path: ['^Alarm.resource', 'severity'], op: '=', value: 'critical' }, { path: ['^Alarm.resource', 'state'], op: '=', value: 'open' }] }, rows: names(2) },
  { group: 'conditions', name: 'that nothing exists', plan: { from: 'Resource', select: name, where: [{ path: ['^Alarm.resource'], op: 'not_exists' }] }, rows: names(2) },
  { group: 'conditions', name: 'that nothing exists beyond', plan: { from: 'Customer', select: name, where: [{ path: ['^Subscription.customer'], op: 'not_exists', where: [{ path: ['status'], op: '=', value: 'active' }] }, { path: ['segment'], op: '!=', value: 'retail' }] }, rows: [['Borealis']] },
  { group: 'conditions', name: 'through a connecting table', plan: { from: 'Service', select: name, where: [{ path: ['^ServiceResource.service', 'resource', 'name'], op: '=', value: 'crt-07' }] }, rows: [['MPLS']] },
  { group: 'conditions', name: 'not through a connecting table', plan: { from: 'Service', select: name, where: [{ path: ['^ServiceResource.service', 'resource'], op: 'not_exists', where: [{ path: ['status'], op: '=', value: 'degraded' }] }] }, rows: [['MPLS']] },
  { group: 'conditions', name: 'two roles', plan: { from: 'Resource', select: name, where: [{ path: ['^Link.z_resource'], op: 'exists' }] }, rows: names(1) },
  { group: 'conditions', name: 'either of two values', plan: { from: 'Alarm', select: [{ path: ['title'] }], where: [{ any: [critical, { path: ['severity'], op: '=', value: 'major' }] }] }, rows: [['Fan failed']] },
  { group: 'conditions', name: 'either of two conditions', plan: { from: 'Alarm', select: [{ path: ['title'] }], where: [open, { any: [critical, { path: ['resource', 'name'], op: '=', value: 'crt-07' }] }] }, rows: [['Fan failed']] },
  { group: 'conditions', name: 'alternatives of several', plan: { from: 'Alarm', select: [{ path: ['title'] }], where: [{ any: [{ all: [critical, open] }, { path: ['duration_ms'], op: '>', value: 5000 }, { path: ['^Alarm.resource'], op: 'exists' }] }] }, rows: [['Fan failed']] },
  { group: 'conditions', name: 'dates', plan: { from: 'Alarm', select: [{ path: ['title'] }], where: [{ path: ['raised_at'], op: '>=', value: '2026-03-01' }, { path: ['raised_at'], op: '<', value: '2026-04-01T12:30:00' }] }, rows: [['Fan failed']] },
  { group: 'conditions', name: 'a span of dates', plan: { from: 'Resource', select: name, where: [{ path: ['installed_on'], op: 'between', value: ['2025-01-01', '2025-12-31'] }] }, rows: names(1) },
  { group: 'conditions', name: 'parts of texts', plan: { from: 'Alarm', select: [{ path: ['title'] }], where: [{ path: ['title'], op: 'like', value: '%fan%' }, { path: ['title'], op: 'not_like', value: 'test%' }] }, rows: [['Fan failed']] },
  { group: 'conditions', name: 'lists of values', plan: { from: 'Resource', select: name, where: [{ path: ['vendor'], op: 'not_in', value: ['Nokia', 'Ciena'] }, { path: ['kind'], op: 'in', value: ['router', 'switch'] }] }, rows: names(1) },
  { group: 'conditions', name: 'above an average', plan: { from: 'Resource', select: name, where: [{ path: ['power'], op: '>', plan: full({ intent: 'aggregate', from: 'Resource', select: [{ path: ['power'], aggregate: 'avg' }], where: [{ path: ['kind'], op: '=', value: 'router' }] }) }] }, rows: names(2) },
  { group: 'conditions', name: 'so many belong to it', plan: { from: 'Site', select: name, where: [{ path: ['id'], op: 'in', plan: full({ from: 'Resource', select: [{ path: ['site', 'id'] }], where: [{ path: ['status'], op: '=', value: 'degraded' }], group_by: [['site']], having: [{ by: { aggregate: 'count' }, op: '>', value: 2 }] }) }] }, rows: [['Hamburg']] },
  { group: 'conditions', name: 'fewer belong to it', plan: { from: 'Site', select: name, where: [{ path: ['id'], op: 'not_in', plan: full({ from: 'Resource', select: [{ path: ['site', 'id'] }], group_by: [['site']], having: [{ by: { aggregate: 'count' }, op: '>=', value: 3 }] }) }] }, rows: [['Hamburg']] },
  { group: 'conditions', name: 'among what a plan selects', plan: { from: 'Site', select: name, where: [{ path: ['city'], op: 'not_in', plan: full({ from: 'Site', select: [{ path: ['city'] }], where: [{ path: ['name'], op: 'like', value: 'B%' }] }) }] }, rows: [['Hamburg']] },
  { group: 'conditions', name: 'yes and no', plan: { from: 'Customer', select: name, where: [{ path: ['is_active'], op: '=', value: false }] }, rows: [['Borealis']] },
  { group: 'conditions', name: 'nested', plan: { from: 'Site', select: name, where: [{ path: ['^Resource.site'], op: 'exists', where: [{ path: ['status'], op: '=', value: 'degraded' }, { path: ['^Alarm.resource'], op: 'not_exists', where: [{ any: [open, { path: ['severity'], op: 'is_null' }] }] }] }] }, rows: [['Berlin']] },

  { group: 'sets', name: 'union', plan: { from: 'Resource', select: name, where: [{ path: ['status'], op: '=', value: 'degraded' }], set_op: { op: 'union', plan: full({ from: 'Site', select: name }) } }, rows: [['Berlin'], ['crt-07']] },
  { group: 'sets', name: 'both', plan: { from: 'Customer', select: name, where: [{ path: ['segment'], op: '=', value: 'retail' }], set_op: { op: 'intersect', plan: full({ from: 'Customer', select: name, where: [{ path: ['is_active'], op: '=', value: true }] }) } }, rows: [['Acme Retail']] },
  { group: 'sets', name: 'one but not the other', plan: { from: 'Site', select: [{ path: ['city'] }], set_op: { op: 'except', plan: full({ from: 'Resource', select: [{ path: ['site', 'city'] }], where: [{ path: ['vendor'], op: '=', value: 'Nokia' }] }) } }, rows: [['Berlin'], ['Hamburg']] },

  { group: 'yes-and-no', name: 'yes, with what was found', plan: { intent: 'exists', from: 'Alarm', select: [{ path: ['title'] }], where: [open] }, rows: [['Fan failed'], ['Link down']] },
  { group: 'yes-and-no', name: 'yes, with how many', plan: { intent: 'exists', from: 'Alarm', select: count, where: [open] }, rows: [[2]] },
  { group: 'yes-and-no', name: 'no, nothing was found', plan: { intent: 'exists', from: 'Alarm', select: [{ path: ['title'] }], where: [open] }, rows: [] },
  { group: 'yes-and-no', name: 'no, there are none', plan: { intent: 'exists', from: 'Alarm', select: count, where: [open] }, rows: [[0]], evidence: [] },
]

/** A nested plan with everything that a plan has. */
function full(plan: Partial<Plan> & Pick<Plan, 'from' | 'select'>): Plan {
  return { intent: 'list', where: [], group_by: [], having: [], order_by: [], distinct: false, ...plan }
}
