/** Returns the members that are not undefined, those that the request contains. */
type Given<Members> = { readonly [Name in keyof Members]?: Exclude<Members[Name], undefined> }

export function given<Members extends object>(members: Members): Given<Members>
export function given(members: object): object {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))
}
