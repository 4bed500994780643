/**
 * Events of the installation as a whole (`installation-1`): parts that belong to this log, so that a foreign one is detected; and its seals
 * (`seal-log`).
 */
export interface InstallationEvents {
  // installation-1
  /** `digest`: an HMAC that identifies the vault; it reveals nothing of the vault's contents. */
  VaultAdopted: { readonly digest: string }
  /** The secret that signs from here on, on every node; `digest` as above. */
  SigningSecretAdopted: { readonly digest: string }
  /** Checkpoints are signed with this key, too, from here on. */
  CheckpointKeyRotated: { readonly verifier: string }
  /** A request to rebuild the documents of this projection. */
  RebuildRequested: { readonly projection: string }

  // seal-log
  /** A signed checkpoint of the first `size` events was stored outside the log. `root`: of the Merkle tree over them, base64. */
  LogSealed: { readonly size: number; readonly root: string }
}
