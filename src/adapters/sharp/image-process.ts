/**
 * Makes images in a child process, which starts with the first image and ends after some idle time. The memory of libvips goes back to
 * the machine with it, and an image that crashes a decoder ends the child only.
 */
import { fork, type ChildProcess } from 'node:child_process'
import { TimedOut, withTimeout } from '../../concurrency/timeout.ts'
import { countChild } from '../../ffmpeg/cpu-time.ts'
import { programEnvironment } from '../../ffmpeg/environment.ts'
import type { Clock } from '../../ports/clock.ts'
import { BadImage, type ImageMaker, type MadeImage } from '../../ports/image-maker.ts'
import type { TrickplayMaker } from '../../ports/trickplay-maker.ts'
import type { AskedJob, JobReply, ImageJob } from './image-jobs.ts'
import { atOnce } from './sharp-image-maker.ts'

export interface ImageProcess extends ImageMaker, Pick<TrickplayMaker, 'sheet'> {
  /** Ends the child. Jobs under way fail. */
  close(this: void): Promise<void>
}

export interface ImageProcessOptions {
  readonly clock: Clock
  readonly start?: () => ChildProcess
}

const IDLE_MS = 10_000
/** Longest job; sharp itself gives up after at most half of it. */
const JOB_MS = 120_000
const MESSAGES = {
  late: 'An image took too long to make',
  ended: 'The process that makes images has ended',
  closed: 'The server is stopping: no more images are made',
}

/** A small heap, since the images lie outside of it. */
const NODE_OPTIONS = ['--disable-warning=ExperimentalWarning', '--max-semi-space-size=1', '--v8-pool-size=1']

interface Running {
  readonly child: ChildProcess
  readonly waiting: Map<number, (reply: JobReply | Error) => void>
  stopIdling: () => void
}

export function createImageProcess({ clock, start = startWorker }: ImageProcessOptions): ImageProcess {
  let running: Running | undefined
  let lastId = 0
  let closed = false

  function begin(): Running {
    const begun: Running = { child: start(), waiting: new Map(), stopIdling: () => {} }
    const ended = (): void => {
      if (running === begun) running = undefined
      begun.stopIdling()
      for (const settle of begun.waiting.values()) settle(new Error(MESSAGES.ended))
    }
    begun.child.on('message', (reply: JobReply) => begun.waiting.get(reply.id)?.(reply))
    begun.child.once('exit', ended).on('error', ended)
    return begun
  }

  async function ask<Reply extends MadeImage | Uint8Array | string>(job: ImageJob): Promise<Reply> {
    if (closed) throw new Error(MESSAGES.closed)
    running ??= begin()
    const own = running
    own.stopIdling()
    try {
      const reply = await withTimeout(replyOf(own, { id: ++lastId, job }), { clock, ms: JOB_MS, message: MESSAGES.late })
      if ('value' in reply) return reply.value as Reply
      throw reply.isBad ? new BadImage(reply.failure) : new Error(reply.failure)
    } catch (cause) {
      if (cause instanceof TimedOut) end(own)
      throw cause
    } finally {
      if (own.waiting.size === 0 && running === own) idle(own)
    }
  }

  /** Replies may come together: each of their callers finds that nothing is left to do. */
  function idle(own: Running): void {
    own.stopIdling()
    own.stopIdling = clock.after(IDLE_MS, () => end(own))
  }

  function end(ended: Running): void {
    // The next image starts another one.
    if (running === ended) running = undefined
    ended.child.kill('SIGKILL')
  }

  return {
    atOnce,
    make: (bytes, making) => ask({ kind: 'make', bytes, making }),
    tint: (bytes) => ask({ kind: 'tint', bytes }),
    blank: (size) => ask({ kind: 'blank', size }),
    sheet: (images, grid) => ask({ kind: 'sheet', images, grid }),
    async close() {
      closed = true
      if (running === undefined) return
      const { child } = running
      const exited = new Promise((resolve) => child.once('exit', resolve).once('error', resolve))
      end(running)
      await exited
    },
  }
}

async function replyOf({ child, waiting }: Running, asked: AskedJob): Promise<JobReply> {
  const { promise, resolve, reject } = Promise.withResolvers<JobReply>()
  waiting.set(asked.id, (reply) => (reply instanceof Error ? reject(reply) : resolve(reply)))
  child.send(asked, (failed) => failed && reject(failed))
  try {
    return await promise
  } finally {
    waiting.delete(asked.id)
  }
}

/** Without the settings of this process: images come from anywhere. */
function startWorker(): ChildProcess {
  const child = fork(new URL('image-worker.ts', import.meta.url), {
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    execArgv: NODE_OPTIONS,
    env: { ...programEnvironment(), MALLOC_ARENA_MAX: '2' },
  })
  countChild(child, 'other')
  return child
}
