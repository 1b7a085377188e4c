/** What is known about this network on purpose, beside the background noise. README.md tells it in words. */
export type Alarm = readonly [severity: 'critical' | 'major' | 'minor', state: 'open' | 'cleared', title: string]

interface Resource {
  readonly group: string
  readonly status: string
  readonly alarms: readonly Alarm[]
}

/** Routers that matter to the story. Every other resource has the status `ok` and no open critical alarm. */
export const RESOURCES: Readonly<Record<string, Resource>> = {
  'crt-07': {
    group: 'core-north', status: 'degraded',
    alarms: [
      ['critical', 'open', 'Switch fabric card failed'],
      ['critical', 'open', 'Forwarding table overflow'],
      ['major', 'cleared', 'Fan tray speed out of range'],
    ],
  },
  'crt-08': { group: 'core-north', status: 'ok', alarms: [['major', 'cleared', 'Optical power low']] },
  'crt-09': { group: 'core-north', status: 'degraded', alarms: [['critical', 'open', 'Route processor restarted']] },
  'crt-11': {
    group: 'core-south', status: 'degraded',
    alarms: [
      ['critical', 'cleared', 'Power supply lost'],
      ['minor', 'open', 'Clock drift'],
    ],
  },
  'ert-21': { group: 'edge-east', status: 'degraded', alarms: [['critical', 'open', 'Line card memory errors']] },
  'ert-33': { group: 'edge-west', status: 'degraded', alarms: [['critical', 'open', 'Uplink down']] },
}

interface Service {
  readonly category: string
  readonly on: readonly string[]
  readonly dependsOn?: readonly string[]
}

export const SERVICES: Readonly<Record<string, Service>> = {
  'MPLS VPN North': { category: 'connectivity', on: ['crt-07'] },
  'Video Backhaul': { category: 'transport', on: ['crt-07'] },
  'Cell Backhaul West': { category: 'transport', on: ['crt-07', 'asw-12'] },
  'Data Center Interconnect': { category: 'transport', on: ['crt-07', 'crt-09'] },
  'Internet Access North': { category: 'connectivity', on: ['crt-07', 'crt-08'] },
  'Voice Trunk East': { category: 'voice', on: ['crt-07'] },
  'Managed Firewall': { category: 'security', on: ['nf-fw-02'], dependsOn: ['MPLS VPN North'] },
  'SD-WAN Overlay': { category: 'connectivity', on: ['ert-05'], dependsOn: ['MPLS VPN North'] },
  'Hosted PBX': { category: 'voice', on: ['nf-ims-01'], dependsOn: ['Internet Access North'] },
  'Payment Gateway': { category: 'application', on: ['nf-dns-01'], dependsOn: ['Managed Firewall'] },
  'Telemetry Bus': { category: 'application', on: ['nf-pcf-01'], dependsOn: ['Managed Firewall', 'Device Analytics'] },
  'Device Analytics': { category: 'application', on: ['nf-pcf-02'], dependsOn: ['Telemetry Bus'] },
  'Ethernet Line South': { category: 'connectivity', on: ['crt-11'] },
  'Metro Ring East': { category: 'transport', on: ['ert-21'] },
  'Leased Line West': { category: 'connectivity', on: ['ert-33'] },
}

type Subscription = readonly [customer: string, segment: string, service: string, status: 'active' | 'expired']

export const SUBSCRIPTIONS: readonly Subscription[] = [
  ['Acme Retail', 'retail', 'MPLS VPN North', 'active'],
  ['Acme Retail', 'retail', 'Managed Firewall', 'active'],
  ['Harbor Bank', 'finance', 'MPLS VPN North', 'active'],
  ['Meridian Health', 'healthcare', 'Video Backhaul', 'active'],
  ['Larkspur Mobile', 'telecom', 'Cell Backhaul West', 'active'],
  ['Nimbus Hosting', 'technology', 'Data Center Interconnect', 'active'],
  ['Orchid Insurance', 'finance', 'Managed Firewall', 'active'],
  ['Granite Payments', 'finance', 'Payment Gateway', 'active'],
  ['Vesper Analytics', 'technology', 'Telemetry Bus', 'active'],
  ['Borealis', 'media', 'Internet Access North', 'active'],
  ['Willow Clinics', 'healthcare', 'Hosted PBX', 'active'],
  ['Cobalt Media', 'media', 'Voice Trunk East', 'active'],
  ['Pike Motors', 'manufacturing', 'SD-WAN Overlay', 'active'],
  ['Quill Press', 'media', 'MPLS VPN North', 'expired'],
  ['Fennel Foods', 'retail', 'Ethernet Line South', 'active'],
  ['Delta Logistics', 'transport', 'Metro Ring East', 'active'],
  ['Sable Energy', 'utilities', 'Leased Line West', 'active'],
]

interface Window {
  readonly title: string
  readonly state: 'planned' | 'in_progress' | 'done'
  readonly service?: string
  readonly resource?: string
}

export const MAINTENANCE: readonly Window[] = [
  { title: 'Trunk renumbering', state: 'in_progress', service: 'Voice Trunk East' },
  { title: 'Overlay controller upgrade', state: 'in_progress', service: 'SD-WAN Overlay' },
  { title: 'Backhaul re-routing', state: 'planned', service: 'Video Backhaul' },
  { title: 'Firewall rule review', state: 'done', service: 'Managed Firewall' },
  { title: 'Uplink replacement', state: 'in_progress', resource: 'ert-33' },
  { title: 'Fabric card swap', state: 'planned', resource: 'crt-07' },
]
