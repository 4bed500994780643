/** Thrown if a container's own tables cannot be trusted for the times of a film: its packets must be read instead. */
export class Unsupported extends Error {
  readonly code = 'declined'
  constructor(reason: string) {
    super(reason)
    this.name = 'Unsupported'
  }
}
