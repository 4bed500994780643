/**
 * Defines the layers of the code and the rooms within them: the content of each, and its allowed imports. The map in docs/development.md is
 * generated from this table, and `npm run arrows` checks every import against it.
 */

export interface Layer {
  /** Paths of its files: folders end with a slash. The first matching prefix decides. */
  readonly prefixes: readonly string[]
  readonly holds: string
  /** Other layers that it may import; `all`: every one but `main`. */
  readonly mayImport: readonly string[] | 'all'
  /** Pure: no Node module, no clock, no randomness. */
  readonly isPure?: boolean
  /** Folders within it: what each may import of the others. A layer without this table has no rule between its folders. */
  readonly rooms?: Rooms
}

export interface Rooms {
  /** Rooms that every other room may import, in order: each may import those before it. */
  readonly foundation: readonly string[]
  /** The imports of the other rooms beyond the foundation. `''` is the layer's own folder. */
  readonly features: Readonly<Record<string, readonly string[]>>
  /** Whether a folder without a row may exist: it imports the foundation alone. */
  readonly isOpen?: true
}

export const LAYERS: Readonly<Record<string, Layer>> = {
  vocabulary: {
    prefixes: ['src/vocabulary/'],
    holds: 'value types that everything shares: ids, languages, resolutions, encoders, descriptions of media',
    mayImport: [],
    isPure: true,
  },
  events: {
    prefixes: ['src/events/'],
    holds: 'event types, their codec and hash chain, streams, positions',
    mayImport: ['vocabulary'],
  },
  concurrency: {
    prefixes: ['src/concurrency/'],
    holds: 'concurrency: bounded parallel work, shared calls, timeouts, caches',
    mayImport: [],
  },
  drives: {
    prefixes: ['src/drives/'],
    holds: 'file system calls on media: a few at once for each drive, so that a dead one cannot take all threads',
    mayImport: ['concurrency'],
  },
  ports: {
    prefixes: ['src/ports/'],
    holds: 'what the application needs of the world: log, read store, bus, leases, clock, ids, vault, counters, outcomes, media',
    mayImport: ['events', 'vocabulary'],
  },
  domain: {
    prefixes: ['src/domain/'],
    holds: 'decisions as pure functions: state and command to events, or to a refusal; what to make of a film, and how',
    mayImport: ['events', 'vocabulary'],
    isPure: true,
    rooms: {
      foundation: ['', 'access', 'accounts', 'subtitles', 'scans', 'online', 'streaming'],
      features: { feed: [], history: [], libraries: [], movies: [], images: [], playback: [], webhooks: ['feed'] },
    },
  },
  views: {
    prefixes: ['projections/views/'],
    holds: 'one view a file: pure functions from an event to changes of documents',
    mayImport: ['events', 'vocabulary'],
    isPure: true,
  },
  ffmpeg: {
    prefixes: ['src/ffmpeg/'],
    holds: 'finds ffmpeg and ffprobe, starts them confined, and names their inputs: whitelists of formats and protocols, limits',
    mayImport: ['vocabulary'],
  },
  app: {
    prefixes: ['src/app/'],
    holds: 'commands, session actors, scans, access, the streaming engine: a room for each feature, on rooms that all share',
    mayImport: ['domain', 'events', 'concurrency', 'ports', 'views', 'vocabulary'],
    rooms: {
      foundation: ['', 'access', 'consistency', 'read-models', 'commands', 'tasks'],
      features: {
        accounts: [],
        audit: [],
        backup: [],
        'derived-media': [],
        feed: [],
        images: [],
        online: ['images'],
        movies: ['online', 'derived-media'],
        scans: ['images'],
        libraries: ['movies', 'scans'],
        history: ['audit', 'movies'],
        playback: ['movies', 'derived-media'],
        'streaming/segments': [],
        'streaming/agents': ['streaming/segments'],
        'streaming/runs': ['streaming/agents', 'streaming/segments'],
        'streaming/renditions': ['streaming/runs', 'streaming/agents', 'streaming/segments'],
        'streaming/subtitles': ['streaming/renditions', 'streaming/agents', 'streaming/segments', 'derived-media'],
        streaming: ['playback', 'streaming/subtitles', 'streaming/renditions', 'streaming/agents', 'streaming/segments'],
        operator: ['accounts', 'backup', 'history', 'libraries', 'playback', 'scans'],
        reactors: ['history', 'libraries', 'playback'],
        'media-reads': ['streaming/agents'],
        webhooks: ['feed'],
      },
    },
  },
  projector: {
    prefixes: ['projections/projector/'],
    holds: "keeps the views' documents; `projectors.ts` shares the views out among all projectors",
    mayImport: ['app', 'events', 'concurrency', 'ports', 'views', 'vocabulary'],
  },
  agent: {
    prefixes: ['transcode-agent/'],
    holds: 'turns job orders into ffmpeg, and its output into segments',
    mayImport: ['app', 'domain', 'drives', 'ffmpeg', 'concurrency', 'ports', 'vocabulary'],
  },
  http: {
    prefixes: ['src/http/'],
    holds: 'routes, schemas and presenters, a room for each feature; `server/` is what all routes share. Knows statuses, decides nothing',
    mayImport: ['app', 'domain', 'drives', 'events', 'concurrency', 'ports', 'views', 'vocabulary'],
    rooms: {
      foundation: ['server'],
      features: {
        accounts: ['audit'],
        libraries: [],
        movies: [],
        images: [],
        scans: [],
        streaming: [],
        audit: [],
        history: [],
        feed: ['scans'],
        playback: ['movies'],
        web: [],
        webhooks: [],
        home: ['accounts', 'libraries', 'movies', 'playback'],
        '': [
          'accounts',
          'audit',
          'history',
          'home',
          'libraries',
          'movies',
          'images',
          'scans',
          'streaming',
          'feed',
          'playback',
          'web',
          'webhooks',
        ],
      },
    },
  },
  adapters: {
    prefixes: ['src/adapters/'],
    holds: 'the ports on real engines, one folder for each engine or library',
    mayImport: ['drives', 'events', 'ffmpeg', 'concurrency', 'ports', 'vocabulary'],
    rooms: {
      foundation: ['shared'],
      features: { ffmpeg: ['containers'], 'foreign-history': ['sqlite'], tmdb: ['filesystem'] },
      isOpen: true,
    },
  },
  config: {
    prefixes: ['src/config/'],
    holds: 'the settings: one table, and how they are read',
    mayImport: [],
  },
  'command-socket': {
    prefixes: ['src/command-socket/'],
    holds: 'how the command line talks to the running server',
    mayImport: ['app', 'ports'],
  },
  process: {
    prefixes: ['src/process/'],
    holds: 'the process around a program: start, stop, what it prints',
    mayImport: ['adapters', 'app', 'command-socket', 'config', 'drives', 'ffmpeg', 'ports'],
  },
  cli: {
    prefixes: ['src/cli/'],
    holds: 'the command line',
    mayImport: ['app', 'command-socket', 'config', 'domain', 'ports', 'process', 'vocabulary'],
  },
  wiring: {
    prefixes: ['src/wiring/'],
    holds: 'puts it all together: the only place that chooses adapters',
    mayImport: 'all',
  },
  web: {
    prefixes: ['web/'],
    holds: 'the web client: pages over parts, plots and the player, on data and the typed client of the API. Knows nothing of the server',
    mayImport: [],
    rooms: {
      foundation: ['api', 'words'],
      features: {
        data: [],
        parts: ['data', ''],
        player: ['data', 'parts', ''],
        plots: ['data', 'parts', ''],
        pages: ['data', 'parts', 'player', 'plots', ''],
        '': ['data', 'parts', 'pages'],
      },
    },
  },
  main: {
    prefixes: ['src/main.ts', 'src/server.ts', 'src/cli.ts', 'projections/main.ts', 'transcode-agent/main.ts'],
    holds: 'the programs: server, command line, projector, transcode agent',
    mayImport: ['adapters', 'cli', 'config', 'process', 'wiring'],
  },
}

/** Packages and Node modules that only these places may import. */
export const DRIVERS: Readonly<Record<string, readonly string[]>> = {
  'node:sqlite': ['src/adapters/sqlite/'],
  mongodb: ['src/adapters/mongodb/'],
  nats: ['src/adapters/nats/'],
  '@eventstore/db-client': ['src/adapters/esdb/'],
  sharp: ['src/adapters/sharp/', 'web/app-manifest.ts'],
  'age-encryption': ['src/adapters/age/'],
  'prom-client': ['src/adapters/prometheus/'],
  '@opentelemetry/api': ['src/adapters/opentelemetry/'],
  '@opentelemetry/sdk-trace': ['src/adapters/opentelemetry/'],
  '@simplewebauthn/server': ['src/adapters/simplewebauthn/'],
  'openid-client': ['src/adapters/openid-client/'],
}
