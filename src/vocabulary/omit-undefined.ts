/** Drops the members of an object that are undefined: an optional member may be missing, but not undefined. */

type OptionalNames<Members> = { [Name in keyof Members]-?: undefined extends Members[Name] ? Name : never }[keyof Members]

type Defined<Members> = Omit<Members, OptionalNames<Members>> & {
  [Name in OptionalNames<Members>]?: Exclude<Members[Name], undefined>
}

/** Keeps the order of the others. */
export function omitUndefined<Members extends object>(members: Members): Defined<Members>
export function omitUndefined(members: object): object {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))
}
