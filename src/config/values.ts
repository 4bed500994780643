/** Reads plain values: numbers, sizes, names, texts, folders, and lists of them. */
import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { isWrong } from './reading.ts'
import type { Reader, Wrong } from './reading.ts'

export function wholeNumber(min: number, max: number): Reader<number> {
  return (text) => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
    return value >= min && value <= max ? value : { wanted: `a whole number from ${min} to ${max}` }
  }
}

/** A share such as `0.25`. */
export const share: Reader<number> = (text) => {
  const value = /^\d(\.\d{1,9})?$/.test(text) ? Number(text) : Number.NaN
  return value <= 1 ? value : { wanted: 'a number from 0 to 1' }
}

const UNITS = ['', 'K', 'M', 'G', 'T']

/** A size in bytes: `500`, `256MB`, `10 GB`, `1.5 GiB`. Each unit is 1,024 of the one before, with or without the `i`. */
export const sizeBytes: Reader<number> = (text) => {
  const parts = /^(\d{1,15}(?:\.\d{1,3})?) ?(?:([KMGT])I?)?B?$/.exec(text.toUpperCase())
  const bytes = parts ? Math.floor(Number(parts[1]) * 1024 ** UNITS.indexOf(parts[2] ?? '')) : Number.NaN
  return Number.isSafeInteger(bytes) ? bytes : { wanted: 'a size such as 500000000, 256MB or 10 GB' }
}

export function oneOf<Name extends string>(names: readonly Name[]): Reader<Name> {
  return (text) => names.find((name) => name === text) ?? { wanted: `one of ${names.join(', ')}` }
}

export const anyText: Reader<string> = (text) => text

export function textOf(shortest: number, longest: number): Reader<string> {
  return (text) => (text.length >= shortest && text.length <= longest ? text : { wanted: `${shortest} to ${longest} characters` })
}

/** Whether a text has at least 32 bytes in UTF-8. */
export const isSigningSecret = (text: string): boolean => Buffer.byteLength(text) >= 32

export const signingSecret: Reader<string> = (text) => (isSigningSecret(text) ? text : { wanted: 'at least 32 characters' })

/** A provider's key: only characters that are allowed in a request header. */
export const providerKey: Reader<string> = (text) =>
  /^[\x21-\x7e]{1,2000}$/.test(text) ? text : { wanted: 'the key as the provider shows it, without spaces' }

/** Trimmed and in lower case, as accounts store it; `admin@localhost` is valid. */
export const emailAddress: Reader<string> = (text) =>
  text.length >= 3 && text.length <= 254 && /^[^@\s\p{Cc}]+@[^@\s\p{Cc}]+$/u.test(text)
    ? text.toLowerCase()
    : { wanted: 'an e-mail address such as ann@example.org' }

export const folderPath: Reader<string> = (text, folder) => (text.includes('\0') ? { wanted: 'a folder' } : resolve(folder, text))

export const filePath: Reader<string> = (text, folder) => (text.includes('\0') ? { wanted: 'a file' } : resolve(folder, text))

/** Maps paths below the first folder elsewhere to paths below the second one here. */
export interface FolderPair {
  readonly from: string
  readonly to: string
}

/** `/films=/mnt/films`: two absolute folders; trailing slashes are removed. */
export const folderPair: Reader<FolderPair> = (text) => {
  const [, from, to] = /^(\/.*?)=(\/.*)$/.exec(text) ?? []
  const leadsOut = text.includes('\0') || text.split(/[/=]/).some((name) => name === '..' || name === '.')
  if (from === undefined || to === undefined || leadsOut) return { wanted: 'pairs of absolute folders such as /films=/mnt/films' }
  return { from: bare(from), to: bare(to) }
}

const bare = (folder: string) => folder.replaceAll(/\/+/g, '/').replace(/(.)\/$/, '$1')

export interface GroupAndLibrary {
  readonly group: string
  readonly library: string
}

/** `kids=Cartoons`: a group and the name or id of a library. */
export const groupAndLibrary: Reader<GroupAndLibrary> = (text) => {
  const [, group, library] = /^([^=]{1,200})=([^=]{1,200})$/.exec(text) ?? []
  if (group === undefined || library === undefined)
    return { wanted: 'pairs of group and library such as kids=Cartoons, separated by commas' }
  return { group: group.trim(), library: library.trim() }
}

export interface Header {
  readonly name: string
  readonly value: string
}

/** `name=value`, the value percent-encoded (OpenTelemetry, specification of the OTLP exporter). */
export const header: Reader<Header> = (text) => {
  const [, name, encoded = ''] = /^([A-Za-z0-9-]{1,100})=([\x21-\x7e]{1,2000})$/.exec(text) ?? []
  const value = decoded(encoded)
  if (name === undefined || value === undefined) return { wanted: 'headers such as authorization=Bearer%20abc, separated by commas' }
  return { name, value }
}

/** Undefined: it is no header's value. */
function decoded(text: string): string | undefined {
  try {
    const value = decodeURIComponent(text)
    return /^[\x20-\x7e]+$/.test(value) ? value : undefined
  } catch {
    return undefined
  }
}

export const hostName: Reader<string> = (text) =>
  isIP(text) > 0 || /^[a-z0-9]([a-z0-9.-]{0,252})$/i.test(text) ? text : { wanted: 'an address such as 0.0.0.0, ::1 or localhost' }

/** An IP address or a network such as `10.0.0.0/8`. */
export const network: Reader<string> = (text) => {
  const [address = '', bits, ...more] = text.split('/')
  const widest = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1
  const fits = more.length === 0 && widest > 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= widest))
  return fits ? text : { wanted: 'IP addresses or networks such as 10.0.0.0/8, separated by commas' }
}

/** Values separated by commas; white space around them and empty values are ignored. */
export function listOf<Value>(read: Reader<Value>): Reader<readonly Value[]> {
  return (text, folder) => {
    const parts = text.split(',').map((part) => part.trim())
    const values: Value[] = []
    for (const part of parts.filter(Boolean)) {
      const value: Value | Wrong = read(part, folder)
      if (isWrong(value)) return value
      values.push(value)
    }
    return values.length > 0 ? values : { wanted: 'values separated by commas' }
  }
}
