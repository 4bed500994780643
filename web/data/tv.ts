/**
 * Whether this device is a television: large type, and everything by the arrow keys of a remote control. `?tv=1` says so, and `?tv=0` that
 * it is none; so does the setting. Otherwise the browsers of webOS and Tizen are.
 */
import { signal } from '@preact/signals-core'
import { keep, kept } from './device-storage.ts'

const KEY = 'marquee.tv'
const AGENTS = /\b(web0s|webos|tizen|smart-tv|smarttv)\b/i

export interface Device {
  /** Query of the address. */
  readonly search: string
  readonly agent: string
  /** What was chosen before: `on`, `off`, or nothing. */
  readonly stored: string | null
}

export const choiceIn = (search: string): 'on' | 'off' | undefined => {
  const value = new URLSearchParams(search).get('tv')
  return value === '1' ? 'on' : value === '0' ? 'off' : undefined
}

export function isTelevision({ search, agent, stored }: Device): boolean {
  const chosen = choiceIn(search) ?? stored
  return chosen === null ? AGENTS.test(agent) : chosen === 'on'
}

export const tv = signal(false)

export function chooseTv(isOn: boolean): void {
  tv.value = isOn
  keep(KEY, isOn ? 'on' : 'off')
}

/** Before the first page is drawn. */
export function learnTv(): void {
  const { search } = location
  const chosen = choiceIn(search)
  if (chosen === undefined) tv.value = isTelevision({ search, agent: navigator.userAgent, stored: kept(KEY) })
  else chooseTv(chosen === 'on')
}
