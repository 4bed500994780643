/** Checks the machine and its limits: memory, inotify, open files, clock. Values that the system does not report are skipped. */
import { existsSync, readFileSync } from 'node:fs'
import { totalmem } from 'node:os'
import { ok, sizeText, warning, type Finding } from './finding.ts'

const LITTLE_MEMORY = 1e9
const FEW_WATCHES = 65_536
const FEW_FILES = 4096

export interface MachinePlaces {
  /** `/proc`, except in tests. */
  readonly proc: string
  /** `/sys/fs/cgroup`, except in tests. */
  readonly cgroup: string
  /** `/run`, except in tests. */
  readonly run: string
}

export function checkMachine({ proc, cgroup, run }: MachinePlaces): readonly Finding[] {
  const watches = numberIn(`${proc}/sys/fs/inotify/max_user_watches`)
  const files = openFilesLimit(`${proc}/self/limits`)
  const clock = checkClock(run)
  return [
    checkMemory(Math.min(totalmem(), numberIn(`${cgroup}/memory.max`) ?? Infinity)),
    ...(watches === undefined ? [] : [checkWatches(watches)]),
    ...(files === undefined ? [] : [checkFiles(files)]),
    ...(clock ? [clock] : []),
  ]
}

function checkMemory(bytes: number): Finding {
  const text = `${sizeText(bytes)} for this machine or container`
  if (bytes >= LITTLE_MEMORY) return ok('memory', text)
  return warning('memory', text, 'Lower MARQUEE_MEMORY_CACHE_BYTES (for example to 32 MB), and set MARQUEE_TRANSCODE_SLOTS=1.')
}

/** Each folder of a library needs one watch. */
function checkWatches(watches: number): Finding {
  const text = `${watches} folders may be watched for changes`
  if (watches >= FEW_WATCHES) return ok('inotify', text)
  const remedy =
    'sysctl fs.inotify.max_user_watches=524288 (and a file in /etc/sysctl.d). Without enough of them, new films wait for a scan.'
  return warning('inotify', text, remedy)
}

function checkFiles(files: number): Finding {
  const text = `${files === Infinity ? 'any number of' : files} files may be open at once`
  if (files >= FEW_FILES) return ok('open files', text)
  return warning('open files', text, 'Raise the limit: LimitNOFILE=65536 in the systemd unit, or ulimit -n.')
}

/** Whether systemd-timesyncd keeps the clock; undefined without it, since another program may keep it. */
function checkClock(run: string): Finding | undefined {
  const folder = `${run}/systemd/timesync`
  if (!existsSync(folder)) return undefined
  if (existsSync(`${folder}/synchronized`)) return ok('clock', 'It is synchronised by NTP')
  const remedy = 'timedatectl set-ntp true. A wrong clock makes tokens expire early and dates the history wrongly.'
  return warning('clock', 'It is not synchronised', remedy)
}

function numberIn(path: string): number | undefined {
  const text = textOf(path)?.trim() ?? ''
  return /^\d+$/.test(text) ? Number(text) : undefined
}

function openFilesLimit(path: string): number | undefined {
  const soft = /^Max open files\s+(\S+)/m.exec(textOf(path) ?? '')?.[1]
  if (soft === undefined) return undefined
  return soft === 'unlimited' ? Infinity : Number(soft)
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
