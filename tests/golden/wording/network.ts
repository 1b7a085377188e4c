/** A small network for the golden sentences: resources at sites, alarms on them, customers with subscriptions to services. */
import type { Flavor } from '../../../src/contracts/index.ts'
import { XSD } from '../../../src/kernel/term.ts'
import type { Ontology, OntologyClass, OntologyProperty } from '../../../src/ontology/index.ts'

const base = 'https://enterprise.example/ontology#'

const data = (name: string, range = 'string', more: Partial<OntologyProperty> = {}): OntologyProperty => ({
  name, iri: `${base}${name}`, label: name.replaceAll('_', ' '), synonyms: [], tier: 'Internal', kind: 'data', columns: [name],
  range: `${XSD}${range}`, refColumns: [], required: false, functional: false, inferred: null, ...more,
})
const object = (name: string, range: string): OntologyProperty => ({
  ...data(name), kind: 'object', columns: [`${name}_id`], range, refColumns: ['id'], functional: true,
})
const cls = (name: string, labelProperty: string | null, properties: OntologyProperty[], more: Partial<OntologyClass> = {}): OntologyClass => ({
  name, iri: `${base}${name}`, label: name, synonyms: [], table: name.toLowerCase(), key: ['id'], labelProperty, tier: 'Internal',
  instances: 0, properties: [data('id', 'integer'), ...properties], ...more,
})

export const network: Ontology = {
  baseIri: base,
  recordBase: 'https://enterprise.example/record/',
  dialect: 'sqlite',
  classes: [
    cls('Alarm', 'title', [
      data('title'), data('severity'), data('state'), data('raised_at', 'dateTime', { required: true }), data('duration_ms', 'integer'),
      object('resource', 'Resource'),
    ]),
    cls('Customer', 'name', [data('name'), data('segment'), data('revenue_usd', 'decimal'), data('is_active', 'boolean')]),
    cls('LabResult', null, [
      data('analyte'), data('value', 'decimal', { label: 'value (g/dL)' }), data('reading', 'decimal'), data('unit'), data('taken_at', 'dateTime'),
    ], { label: 'Lab result' }),
    cls('Link', 'name', [data('name'), object('a_resource', 'Resource'), object('z_resource', 'Resource')]),
    cls('Resource', 'name', [
      data('name'), data('kind'), data('status'), data('vendor'), data('installed_on', 'date'), data('year', 'integer'), data('load_percent', 'decimal'),
      data('power', 'decimal'), object('site', 'Site'),
    ]),
    cls('Service', 'name', [data('name')]),
    cls('ServiceResource', null, [object('service', 'Service'), object('resource', 'Resource')], {
      label: 'Service resource', key: ['service_id', 'resource_id'],
    }),
    cls('Site', 'name', [data('name'), data('city')]),
    cls('Subscription', null, [data('status'), object('customer', 'Customer'), object('service', 'Service')]),
  ],
  relationships: [
    {
      name: 'resource', iri: `${base}Service.resource`, label: 'resource', description: '', from: 'Service', to: 'Resource',
      junction: 'ServiceResource', fromProperty: 'service', toProperty: 'resource', functional: false, tier: 'Internal',
    },
  ],
}

export const flavor: Flavor = {
  name: 'network', label: 'Network', synonyms: {},
  rules: [
    {
      id: 'impaired', label: '', phrases: [], sentence: '{r} is degraded with {n:open critical alarm}', negative_sentence: '{r} is not impaired',
      body: 'impaired(?r) :- Resource(?r, status: "degraded"), ?n = count { Alarm(resource: ?r, state: "open", severity: "critical") }, ?n > 0.',
    },
    {
      id: 'redundant', label: '', phrases: [], sentence: '{s} has a redundant path around {r}', negative_sentence: '{s} has no redundant path around {r}',
      body: 'redundant(?s, ?r) :- ServiceResource(service: ?s, resource: ?r), ServiceResource(service: ?s, resource: ?o), ?o != ?r.',
    },
    {
      id: 'exposed', label: '', phrases: [], sentence: '{s} runs on {r}', negative_sentence: '{s} is not exposed[ to {r}]',
      body: 'exposed(?s, ?r) :- ServiceResource(service: ?s, resource: ?r), impaired(?r), not redundant(?s, ?r).',
    },
    {
      id: 'at-risk', label: '', phrases: ['at risk'], sentence: '{c} is at risk from {r}', negative_sentence: '{c} is not at risk[ from {r}]',
      plural_sentence: 'are at risk[ from {r}]',
      body: 'at_risk(?c, ?r) :- Customer(?c), subscribed(?c, ?s), exposed(?s, ?r).',
    },
    {
      id: 'subscribed', label: '', phrases: [], sentence: 'it has an active subscription to {s}',
      negative_sentence: '{c} has no active subscription[ to {s}]',
      body: 'subscribed(?c, ?s) :- Subscription(customer: ?c, service: ?s, status: "active").',
    },
  ],
}
