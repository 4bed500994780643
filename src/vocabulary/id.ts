/**
 * Identifiers: strings of 21 characters out of `A-Za-z0-9_-`, the first one alphanumeric (command lines), branded by kind.
 */
export type Id<Kind extends string> = string & { readonly idOf: Kind }

export type UserId = Id<'user'>
export type LoginId = Id<'login'>
export type LibraryId = Id<'library'>
export type ScanId = Id<'scan'>
export type MovieId = Id<'movie'>
export type FileId = Id<'file'>
export type ImageId = Id<'image'>
export type PersonId = Id<'person'>
export type SessionId = Id<'session'>
export type CommandId = Id<'command'>
export type JobId = Id<'job'>
/** A viewing outside a playback session. */
export type ViewingId = Id<'viewing'>
export type ImportId = Id<'import'>
export type ErasureId = Id<'erasure'>
export type WebhookId = Id<'webhook'>
/** One event on its way to one webhook. */
export type DeliveryId = Id<'delivery'>

/** Pattern of every identifier, also used by the schemas of bodies and queries. */
export const ID_PATTERN = '^[A-Za-z0-9][A-Za-z0-9_-]{20}$'
const pattern = new RegExp(ID_PATTERN)

/** Accepts a text of the right shape as an identifier; undefined otherwise. */
export function parseId<Kind extends string>(text: string): Id<Kind> | undefined {
  return pattern.test(text) ? (text as Id<Kind>) : undefined
}
