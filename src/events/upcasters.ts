/**
 * Upcasters lift stored events of an older version, one version at a time, when they are decoded. Stored bytes never change.
 */
import { VERSIONS, type EventType } from './catalogue.ts'
import type { JsonObject } from './envelope.ts'

/** `Type@v` to a function that returns the data of version `v + 1`. */
const UPCASTERS: Readonly<Record<string, (data: JsonObject) => JsonObject>> = {
  /** Messages were plain texts, out of reach of erasure: they are no longer kept or shown. */
  'PlaybackCommandIssued@1': (data) => ({ ...data, message: null }),
}

export function isUpcastable(type: EventType, version: number): boolean {
  let v = version
  while (v !== VERSIONS[type] && Object.hasOwn(UPCASTERS, `${type}@${v}`)) v++
  return v === VERSIONS[type]
}

/** @throws Error no upcaster leads from that version to today's, for example if a newer Marquee has written it */
export function upcast(type: EventType, version: number, data: JsonObject): JsonObject {
  let lifted = data
  for (let v = version; v !== VERSIONS[type]; v++) {
    const step = UPCASTERS[`${type}@${v}`]
    if (!step) throw new Error(`No upcaster for ${type}@${v}`)
    lifted = step(lifted)
  }
  return lifted
}
