/** Records which vault and which signing secret belong to this log. */
import type { Decider, Decision } from './decider.ts'
import { refuse } from './refusal.ts'

export interface InstallationState {
  readonly vault: string | null
  readonly secret: string | null
  /** Verifier of the newest key that signs checkpoints; null if it is still the first key. */
  readonly checkpointKey: string | null
}

export const installation: Decider<InstallationState> = {
  initial: { vault: null, secret: null, checkpointKey: null },
  evolve: (state, event) => {
    if (event.type === 'VaultAdopted') return { ...state, vault: event.data.digest }
    if (event.type === 'CheckpointKeyRotated') return { ...state, checkpointKey: event.data.verifier }
    return event.type === 'SigningSecretAdopted' ? { ...state, secret: event.data.digest } : state
  },
}

/** The first vault is adopted permanently. */
export const adoptVault =
  (digest: string) =>
  ({ vault }: InstallationState): Decision => {
    if (vault === digest) return []
    return vault === null ? [{ type: 'VaultAdopted', data: { digest } }] : refuse('conflict', 'The vault is not the one of this event log')
  }

/** Another secret is adopted only together with its predecessor. */
export const adoptSecret =
  (digest: string, previous: string | undefined) =>
  ({ secret }: InstallationState): Decision => {
    if (secret === digest) return []
    const mayFollow = secret === null || secret === previous
    return mayFollow
      ? [{ type: 'SigningSecretAdopted', data: { digest } }]
      : refuse('conflict', 'The secret is not the one of the other nodes')
  }

export const rotateKey =
  (verifier: string) =>
  ({ checkpointKey }: InstallationState): Decision =>
    checkpointKey === verifier ? [] : [{ type: 'CheckpointKeyRotated', data: { verifier } }]
