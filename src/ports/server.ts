/** Server: an external engine that ports depend on, for checks of its availability. */
export interface Server {
  /** Its common name, for example `MongoDB`. */
  readonly name: string
  /** The setting that configures it, and its configured address without name and password. */
  readonly setting?: string
  readonly address?: string
  /** Pings it. @throws ServerUnavailable no answer within a second or two */
  check(): Promise<void>
}

/** The engine could not be reached, or did not answer in time. The operation may be retried. */
export class ServerUnavailable extends Error {
  readonly code: string = 'engine-away'
  readonly engine: string
  constructor(engine: string, options?: ErrorOptions) {
    super(`No answer from ${engine}`, options)
    this.name = 'ServerUnavailable'
    this.engine = engine
  }
}

/** Reason why an engine that is a file in this process cannot store; retry after the file or its disk is repaired. */
export type StorageTroubleCode = 'disk-full' | 'files-gone' | 'read-only' | 'damaged' | 'views-damaged' | 'storage-failing'

const STORAGE_TROUBLES: Readonly<Record<StorageTroubleCode, (file: string) => string>> = {
  'disk-full': (file) => `The disk is full: ${file} cannot grow. Make room`,
  'files-gone': (file) => `${file} was deleted, moved or replaced while it was in use. Put it back, or restart the server`,
  'read-only': (file) => `${file} cannot be written. Make it writable for the user that Marquee runs as`,
  damaged: (file) => `${file} is damaged. Stop Marquee, keep a copy of the file, and restore it from a backup`,
  'views-damaged': (file) => `${file} is damaged. Restart Marquee: it sets the file aside and rebuilds it from the event log`,
  'storage-failing': (file) => `${file} cannot be read or written. Check its disk`,
}

/** Nothing was stored. The message names the file and the remedy. */
export class StorageTrouble extends ServerUnavailable {
  override readonly code: StorageTroubleCode
  readonly file: string
  constructor(code: StorageTroubleCode, file: string, options?: ErrorOptions) {
    super(file, options)
    this.name = 'StorageTrouble'
    this.code = code
    this.file = file
    this.message = `${STORAGE_TROUBLES[code](file)}${options?.cause instanceof Error ? ` (${options.cause.message})` : ''}`
  }
}
