/** How values of events become paths of the audit. */
import type { Json, JsonObject } from '../../src/events/envelope.ts'

export const nothing = (): JsonObject => ({})

/** These members under their own names. */
export const members =
  <const Name extends string>(...names: readonly Name[]) =>
  (data: { readonly [N in Name]?: Json | undefined }): JsonObject =>
    Object.fromEntries(names.map((name) => [name, data[name] ?? null]))

/** All members, each under the prefix and its name. */
export function below(prefix: string, values: object): JsonObject {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [`${prefix}.${name}`, (value ?? null) as Json]))
}

/** As clients see times: seconds. */
export const seconds = (milliseconds: number): number => milliseconds / 1000

export const listIn = (state: JsonObject, path: string): readonly Json[] => {
  const value = state[path]
  return Array.isArray(value) ? (value as readonly Json[]) : []
}
