/** A worker thread that runs the seeds that it receives, one after another. */
import { parentPort } from 'node:worker_threads'
import { simulate } from './simulate.ts'

const port = parentPort
if (!port) throw new Error('This runs in a thread of main.ts')
port.on('message', (seed: number) => {
  void simulate(seed).then(
    (verdict) => port.postMessage(verdict, []),
    (cause: unknown) =>
      port.postMessage({ seed, failures: [String(cause)], digest: '', steps: 0, events: 0, acknowledged: 0, segments: 0 }, []),
  )
})
