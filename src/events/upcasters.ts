/**
 * Upcasters: lift stored events of an older version, one version at a time, at the decode edge. Stored bytes never change.
 */
import { VERSIONS, type EventType } from './catalogue.ts'
import type { JsonObject } from './envelope.ts'

/** `Type@v` to a function that gives the data of version `v + 1`. */
const UPCASTERS: Readonly<Record<string, (data: JsonObject) => JsonObject>> = {
  /** Messages were plain texts, which no erasure can forget: nobody keeps or shows them any more. */
  'PlaybackCommandIssued@1': (data) => ({ ...data, message: null }),
}

export function isUpcastable(type: EventType, version: number): boolean {
  let v = version
  while (v !== VERSIONS[type] && Object.hasOwn(UPCASTERS, `${type}@${v}`)) v++
  return v === VERSIONS[type]
}

/** @throws Error there is no way from that version to today's, as from one that a newer Marquee has written */
export function upcast(type: EventType, version: number, data: JsonObject): JsonObject {
  let lifted = data
  for (let v = version; v !== VERSIONS[type]; v++) {
    const step = UPCASTERS[`${type}@${v}`]
    if (!step) throw new Error(`No upcaster for ${type}@${v}`)
    lifted = step(lifted)
  }
  return lifted
}
