/** Helpers that turn values of events into audit paths. */
import type { EventData, EventType } from '../../src/events/catalogue.ts'
import type { Json, JsonObject } from '../../src/events/envelope.ts'

/**
 * The values that an event sets, by path; `before` holds the values set earlier in its stream. Never contains a password, hash, token or
 * key.
 */
export type PathsOf<Type extends EventType> = (data: EventData[Type], before: JsonObject) => JsonObject

export const nothing = (): JsonObject => ({})

/** The named members, each under its own name. */
export const members =
  <const Name extends string>(...names: readonly Name[]) =>
  (data: { readonly [N in Name]?: Json | undefined }): JsonObject =>
    Object.fromEntries(names.map((name) => [name, data[name] ?? null]))

/** All members, each under `prefix.name`. */
export function below(prefix: string, values: object): JsonObject {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [`${prefix}.${name}`, (value ?? null) as Json]))
}

/** Converts to seconds, the unit of the API. */
export const seconds = (milliseconds: number): number => milliseconds / 1000

/** 0 if none was set. */
export const numberIn = (state: JsonObject, path: string): number => Number(state[path] ?? 0)

export const listIn = (state: JsonObject, path: string): readonly Json[] => {
  const value = state[path]
  return Array.isArray(value) ? (value as readonly Json[]) : []
}
