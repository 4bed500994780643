/** Events of the installation as a whole (`installation-1`): what belongs to this log, so that another one is noticed; and its seals (`seal-log`). */
export interface InstallationEvents {
  // installation-1
  /** `digest`: an HMAC by which the vault is known again; it tells nothing of what the vault holds. */
  VaultAdopted: { readonly digest: string }
  /** The secret that signs from here on, on every node; `digest` as above. */
  SigningSecretAdopted: { readonly digest: string }
  /** Checkpoints are signed with this key, too, from here on. */
  CheckpointKeyRotated: { readonly verifier: string }
  /** Somebody wants the documents of this projection to be made again. */
  RebuildRequested: { readonly projection: string }

  // seal-log
  /** A signed checkpoint of the first `size` events was kept outside the log. `root`: of the Merkle tree over them, base64. */
  LogSealed: { readonly size: number; readonly root: string }
}
