/**
 * Fetches a job's attachments from its owner over the bus and stores them under numbers in a local folder for as long as the job runs.
 */
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { digestOf, JOB_ATTACHMENT_MAX_CONTENTS } from '../src/app/streaming/agents/job-attachment.ts'
import { subjects, type JobSpec } from '../src/app/streaming/agents/agent-protocol.ts'
import { unpack } from '../src/concurrency/length-prefixed.ts'
import { MAX_BODY_BYTES, type Bus } from '../src/ports/bus.ts'

/** Paths of the attachments: the first one by itself, the others in a folder. */
export interface AttachmentFiles {
  readonly first: string
  readonly others: string
}

export interface OpenAttachment extends AttachmentFiles {
  /** Number of other attachments. */
  readonly count: number
  remove(): Promise<void>
}

const PIECE_TIMEOUT_MS = 5_000
const PREFIX = 'marquee-parcel-'
const FOLDER = /^marquee-parcel-(\d{1,10})-[A-Za-z0-9]+$/
/** Another container that shares the temporary folder may use the same process ids; its processes have read their files by then. */
const OLD_MS = 60 * 60_000
const MOST_SWEPT = 1_000
const NOT_FETCHED = 'The subtitle to burn in cannot be fetched'

/** @throws Error it cannot be fetched; the message is for a person. Or the signal's reason */
export async function openAttachment(bus: Bus, spec: JobSpec, signal: AbortSignal): Promise<OpenAttachment | undefined> {
  if (!spec.attachment) return undefined
  const contents = await fetchContents(bus, { ...spec, attachment: spec.attachment }, signal)
  const [first, ...others] = contents
  if (!first) throw new Error(NOT_FETCHED)
  const folder = await openFolder()
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true })
  try {
    const files = { first: join(folder, 'first'), others: join(folder, 'others') }
    await writeFile(files.first, first, { flag: 'wx' })
    await mkdir(files.others)
    for (const [number, content] of others.entries()) await writeFile(join(files.others, String(number)), content, { flag: 'wx' })
    return { ...files, count: others.length, remove }
  } catch (cause) {
    await remove()
    throw cause
  }
}

/** A folder that the sweep removes if this process dies. */
export const openFolder = (): Promise<string> => mkdtemp(join(tmpdir(), `${PREFIX}${process.pid}-`))

/** Removes what killed processes left behind. Never rejects. */
export async function sweepAttachments(nowMs: number): Promise<void> {
  const names = await readdir(tmpdir()).catch(() => [])
  for (const name of names.filter((one) => FOLDER.test(one)).slice(0, MOST_SWEPT)) {
    const path = join(tmpdir(), name)
    const found = await stat(path).catch(() => undefined)
    if (!found || nowMs - found.mtimeMs < OLD_MS || isAlive(Number(FOLDER.exec(name)?.[1]))) continue
    await rm(path, { recursive: true, force: true }).catch(() => undefined)
  }
}

/** A folder with our own process id belongs to an earlier process: this one has just started. */
function isAlive(pid: number): boolean {
  if (pid === process.pid) return false
  try {
    return process.kill(pid, 0)
  } catch (cause) {
    return cause instanceof Error && 'code' in cause && cause.code === 'EPERM'
  }
}

type Asked = Pick<JobSpec, 'jobId'> & { readonly attachment: NonNullable<JobSpec['attachment']> }

async function fetchContents(bus: Bus, { jobId, attachment }: Asked, signal: AbortSignal): Promise<readonly Uint8Array[]> {
  const bytes = new Uint8Array(attachment.sizeBytes)
  for (let at = 0; at < bytes.byteLength; at += MAX_BODY_BYTES) {
    const message = { head: { type: 'piece', at } }
    const { body } = await bus
      .request(subjects.attachment(jobId), message, { timeoutMs: PIECE_TIMEOUT_MS, signal })
      .catch((cause: unknown) => {
        signal.throwIfAborted()
        throw new Error(NOT_FETCHED, { cause })
      })
    if (body?.byteLength !== Math.min(MAX_BODY_BYTES, bytes.byteLength - at)) throw new Error(NOT_FETCHED)
    bytes.set(body, at)
  }
  const contents = digestOf(bytes) === attachment.digest ? unpack(bytes, JOB_ATTACHMENT_MAX_CONTENTS) : undefined
  if (!contents) throw new Error(NOT_FETCHED)
  return contents
}
