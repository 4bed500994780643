/** SHA-256 (FIPS 180-4). Browsers have one of their own only on https, and most homes use plain http. Pure. */

const WORDS = 64
const BLOCK = 64

/** The first 32 bits of the fraction of a root of a prime. */
const fraction = (root: number): number => ((root - Math.floor(root)) * 2 ** 32) | 0
const isPrime = (n: number): boolean =>
  Array.from({ length: Math.floor(Math.sqrt(n)) }, (_, i) => i + 1).every((d) => d === 1 || n % d !== 0)
const PRIMES = Array.from({ length: 310 }, (_, index) => index + 2).filter(isPrime)
const K = Int32Array.from(PRIMES.slice(0, WORDS), (prime) => fraction(Math.cbrt(prime)))
const START = PRIMES.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)))

const turn = (word: number, by: number): number => (word >>> by) | (word << (32 - by))

export function sha256(bytes: Uint8Array): Uint8Array {
  const padded = new Uint8Array(Math.ceil((bytes.length + 9) / BLOCK) * BLOCK)
  padded.set(bytes)
  padded[bytes.length] = 0x80
  const view = new DataView(padded.buffer)
  view.setBigUint64(padded.length - 8, BigInt(bytes.length) * 8n)
  const state = Int32Array.from(START)
  const w = new Int32Array(WORDS)
  const at = (index: number): number => w[index] ?? 0
  for (let block = 0; block < padded.length; block += BLOCK) {
    for (let i = 0; i < WORDS; i++) {
      if (i < 16) w[i] = view.getInt32(block + i * 4)
      else {
        const [a, b] = [at(i - 15), at(i - 2)]
        w[i] = at(i - 16) + (turn(a, 7) ^ turn(a, 18) ^ (a >>> 3)) + at(i - 7) + (turn(b, 17) ^ turn(b, 19) ^ (b >>> 10))
      }
    }
    let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state
    for (let i = 0; i < WORDS; i++) {
      const one = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + (K[i] ?? 0) + at(i)) | 0
      const two = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0
      ;[h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0]
    }
    for (const [i, word] of [a, b, c, d, e, f, g, h].entries()) state[i] = (state[i] ?? 0) + word
  }
  const digest = new DataView(new ArrayBuffer(32))
  for (const [i, word] of state.entries()) digest.setInt32(i * 4, word)
  return new Uint8Array(digest.buffer)
}
