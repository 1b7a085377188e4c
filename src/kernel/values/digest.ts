/** MD5 and the SHA family over UTF-8, small and plain: rules name things by them, they guard nothing. */
const utf8 = new TextEncoder()

type Digest = (text: string) => string

/** The message, a one bit, zeros, and its length in bits at the end of the last block. */
function padded(text: string, block: 64 | 128, littleEndian: boolean): DataView {
  const bytes = utf8.encode(text)
  const length = Math.ceil((bytes.length + 1 + block / 8) / block) * block
  const view = new DataView(new ArrayBuffer(length))
  bytes.forEach((byte, i) => view.setUint8(i, byte))
  view.setUint8(bytes.length, 0x80)
  view.setBigUint64(length - 8, BigInt(bytes.length) * 8n, littleEndian)
  return view
}

const rotl = (x: number, n: number): number => (x << n) | (x >>> (32 - n))
const rotr = (x: number, n: number): number => (x >>> n) | (x << (32 - n))
const hex32 = (words: ArrayLike<number>): string =>
  Array.from(words, (word) => (word >>> 0).toString(16).padStart(8, '0')).join('')

const MD5_SHIFTS = [7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21]
const MD5_SINES = Array.from({ length: 64 }, (_, i) => Math.floor(Math.abs(Math.sin(i + 1)) * 2 ** 32) | 0)

export const md5: Digest = (text) => {
  const message = padded(text, 64, true)
  const state = new Int32Array([0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476])
  for (let at = 0; at < message.byteLength; at += 64) {
    let [a, b, c, d] = state as unknown as [number, number, number, number]
    for (let i = 0; i < 64; i++) {
      const round = i >> 4
      const mixed = round === 0 ? (b & c) | (~b & d) : round === 1 ? (d & b) | (~d & c) : round === 2 ? b ^ c ^ d : c ^ (b | ~d)
      const word = round === 0 ? i : round === 1 ? (5 * i + 1) & 15 : round === 2 ? (3 * i + 5) & 15 : (7 * i) & 15
      const turned = rotl(a + mixed + MD5_SINES[i]! + message.getInt32(at + word * 4, true), MD5_SHIFTS[round * 4 + (i & 3)]!)
      ;[a, d, c, b] = [d, c, b, (b + turned) | 0]
    }
    ;[a, b, c, d].forEach((word, i) => (state[i]! += word))
  }
  const bytes = new DataView(new ArrayBuffer(16))
  state.forEach((word, i) => bytes.setInt32(i * 4, word, true))
  return hex32([0, 4, 8, 12].map((at) => bytes.getInt32(at)))
}

export const sha1: Digest = (text) => {
  const message = padded(text, 64, false)
  const state = new Int32Array([0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0])
  const words = new Int32Array(80)
  for (let at = 0; at < message.byteLength; at += 64) {
    for (let i = 0; i < 80; i++) {
      words[i] = i < 16 ? message.getInt32(at + i * 4) : rotl(words[i - 3]! ^ words[i - 8]! ^ words[i - 14]! ^ words[i - 16]!, 1)
    }
    let [a, b, c, d, e] = state as unknown as [number, number, number, number, number]
    for (let i = 0; i < 80; i++) {
      const [mixed, constant] =
        i < 20 ? [(b & c) | (~b & d), 0x5a827999]
        : i < 40 ? [b ^ c ^ d, 0x6ed9eba1]
        : i < 60 ? [(b & c) | (b & d) | (c & d), 0x8f1bbcdc]
        : [b ^ c ^ d, 0xca62c1d6]
      const next = (rotl(a, 5) + mixed + e + constant + words[i]!) | 0
      ;[e, d, c, b, a] = [d, c, rotl(b, 30), a, next]
    }
    ;[a, b, c, d, e].forEach((word, i) => (state[i]! += word))
  }
  return hex32(state)
}

/** The first primes; SHA-2 takes its constants from the fractions of their roots. */
const PRIMES = Array.from({ length: 410 }, (_, n) => BigInt(n)).filter((n) => n > 1n && isPrime(n)).slice(0, 80)

function isPrime(n: bigint): boolean {
  for (let divisor = 2n; divisor * divisor <= n; divisor++) if (n % divisor === 0n) return false
  return true
}

/** The first 64 bits behind the point of a root: exact, by halving. */
function rootFraction(n: bigint, power: bigint): bigint {
  const scaled = n << (64n * power)
  let [low, high] = [0n, 1n << 70n]
  while (high - low > 1n) {
    const middle = (low + high) >> 1n
    if (middle ** power <= scaled) low = middle
    else high = middle
  }
  return BigInt.asUintN(64, low)
}

const CUBE_ROOTS = PRIMES.map((prime) => rootFraction(prime, 3n))
const SQUARE_ROOTS = PRIMES.slice(0, 16).map((prime) => rootFraction(prime, 2n))
const SHA256_CONSTANTS = Int32Array.from(CUBE_ROOTS.slice(0, 64), (root) => Number(root >> 32n) | 0)

export const sha256: Digest = (text) => {
  const message = padded(text, 64, false)
  const state = Int32Array.from(SQUARE_ROOTS.slice(0, 8), (root) => Number(root >> 32n) | 0)
  const words = new Int32Array(64)
  for (let at = 0; at < message.byteLength; at += 64) {
    for (let i = 0; i < 64; i++) {
      if (i < 16) words[i] = message.getInt32(at + i * 4)
      else {
        const [x, y] = [words[i - 15]!, words[i - 2]!]
        const early = rotr(x, 7) ^ rotr(x, 18) ^ (x >>> 3)
        words[i] = words[i - 16]! + early + words[i - 7]! + (rotr(y, 17) ^ rotr(y, 19) ^ (y >>> 10))
      }
    }
    let [a, b, c, d, e, f, g, h] = state as unknown as [number, number, number, number, number, number, number, number]
    for (let i = 0; i < 64; i++) {
      const chosen = (rotr(e, 6) ^ rotr(e, 11) ^ rotr(e, 25)) + ((e & f) ^ (~e & g))
      const one = (h + chosen + SHA256_CONSTANTS[i]! + words[i]!) | 0
      const two = ((rotr(a, 2) ^ rotr(a, 13) ^ rotr(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0
      ;[h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0]
    }
    ;[a, b, c, d, e, f, g, h].forEach((word, i) => (state[i]! += word))
  }
  return hex32(state)
}

const rotr64 = (x: bigint, n: bigint): bigint => BigInt.asUintN(64, (x >> n) | (x << (64n - n)))
const wrap = (x: bigint): bigint => BigInt.asUintN(64, x)

function sha2Long(text: string, start: readonly bigint[]): string {
  const message = padded(text, 128, false)
  const state = [...start]
  for (let at = 0; at < message.byteLength; at += 128) {
    const words: bigint[] = Array.from({ length: 16 }, (_, i) => message.getBigUint64(at + i * 8))
    for (let i = 16; i < 80; i++) {
      const [x, y] = [words[i - 15]!, words[i - 2]!]
      const early = rotr64(x, 1n) ^ rotr64(x, 8n) ^ (x >> 7n)
      words.push(wrap(words[i - 16]! + early + words[i - 7]! + (rotr64(y, 19n) ^ rotr64(y, 61n) ^ (y >> 6n))))
    }
    let [a, b, c, d, e, f, g, h] = state as [bigint, bigint, bigint, bigint, bigint, bigint, bigint, bigint]
    for (let i = 0; i < 80; i++) {
      const chosen = (rotr64(e, 14n) ^ rotr64(e, 18n) ^ rotr64(e, 41n)) + ((e & f) ^ (wrap(~e) & g))
      const one = wrap(h + chosen + CUBE_ROOTS[i]! + words[i]!)
      const two = wrap((rotr64(a, 28n) ^ rotr64(a, 34n) ^ rotr64(a, 39n)) + ((a & b) ^ (a & c) ^ (b & c)))
      ;[h, g, f, e, d, c, b, a] = [g, f, e, wrap(d + one), c, b, a, wrap(one + two)]
    }
    ;[a, b, c, d, e, f, g, h].forEach((word, i) => (state[i] = wrap(state[i]! + word)))
  }
  return state.map((word) => word.toString(16).padStart(16, '0')).join('')
}

export const sha384: Digest = (text) => sha2Long(text, SQUARE_ROOTS.slice(8)).slice(0, 96)
export const sha512: Digest = (text) => sha2Long(text, SQUARE_ROOTS.slice(0, 8))
