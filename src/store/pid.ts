/** The stable name of a proposal: a UUIDv5 (RFC 9562) of the candidate's key, the same on every run and machine. */
import { createHash } from 'node:crypto'

/** Any fixed UUID will do; changing it would orphan every decision ever taken. */
const NAMESPACE = '5b0f2d8e-7a64-5c1b-9e35-0c6a4f1d2b97'

export function pidOf(key: string): string {
  const namespace = Buffer.from(NAMESPACE.replaceAll('-', ''), 'hex')
  return uuidV5(namespace, key)
}

export function uuidV5(namespace: Uint8Array, name: string): string {
  const bytes = createHash('sha1').update(namespace).update(name, 'utf8').digest().subarray(0, 16)
  bytes[6] = (bytes[6]! & 0x0f) | 0x50
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
