/** Scrypt (RFC 7914): slow and memory-hard on purpose, so it runs apart from everything else. */

export interface ScryptCost {
  /** CPU and memory cost, as the power of two: N = 2^logN. */
  readonly logN: number
  /** Block size; one derivation takes 128 * N * r bytes. */
  readonly r: number
  /** Rounds, one after another. */
  readonly p: number
}

export interface ScryptInput {
  readonly password: string
  readonly salt: Uint8Array
  readonly cost: ScryptCost
  /** Length of the result. */
  readonly bytes: number
}

export interface Scrypt {
  /** Derivations run one at a time; the caller bounds the queue. Rejects if the derivation fails or takes too long. */
  derive(input: ScryptInput): Promise<Uint8Array>
  close(): Promise<void>
}
