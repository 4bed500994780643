/** The hashing thread: runs one derivation after another, so that the pool for file operations stays free. */
import { scryptSync } from 'node:crypto'
import { parentPort } from 'node:worker_threads'
import { scryptOptions } from '../shared/scrypt-options.ts'
import type { ScryptInput } from '../../ports/scrypt.ts'

parentPort?.on('message', ({ password, salt, cost, bytes }: ScryptInput) => {
  try {
    parentPort?.postMessage({ derived: new Uint8Array(scryptSync(password, salt, bytes, scryptOptions(cost))) }, [])
  } catch (cause) {
    parentPort?.postMessage({ failure: String(cause) }, [])
  }
})
