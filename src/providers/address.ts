/**
 * Where a request may go. An air-gapped provider stays on this host or in private address space, and that is decided before any name
 * is looked up.
 */
import { BlockList, isIP } from 'node:net'

const near = new BlockList()
for (const [net, bits] of [['127.0.0.0', 8], ['10.0.0.0', 8], ['172.16.0.0', 12], ['192.168.0.0', 16]] as const) near.addSubnet(net, bits, 'ipv4')
near.addAddress('::1', 'ipv6')
near.addSubnet('fc00::', 7, 'ipv6')

/** The address itself says so: any name but localhost could lead anywhere. */
export function staysNear(url: URL): boolean {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (host === 'localhost') return true
  const family = isIP(host)
  return family !== 0 && near.check(host, family === 4 ? 'ipv4' : 'ipv6')
}

/** `host:port`, as the reasons of a status say it. */
export const placeOfUrl = (url: URL): string => `${url.hostname}:${portOf(url)}`
export const portOf = (url: URL): number => (url.port !== '' ? Number(url.port) : url.protocol === 'http:' ? 80 : 443)
