/** Defines the parts of the tests: the files of each, and the parts' requirements. */
import { globSync } from 'node:fs'

export interface Part {
  /** The script in package.json. */
  readonly script: string
  /** Globs, from the repository's root. */
  readonly files: readonly string[]
  readonly except?: readonly string[]
  /** Files at a time; `MARQUEE_TEST_JOBS` overrides it. */
  readonly jobs: number
  /** Whether its tests start the programs with the web client, which are built before the first of them. */
  readonly isBuilt?: boolean
  /** Environment of its test processes. */
  readonly environment?: Readonly<Record<string, string>>
}

interface SlowPart extends Pick<Part, 'jobs' | 'isBuilt'> {
  readonly folders: readonly string[]
}

/** One for each core of a small machine. */
const JOBS = 2
/** These play films, or run servers or browsers, and wait for them in between. */
const PLAYING_JOBS = 3
/** These wait most of the time: for leases to end, for what was killed to be replaced. */
const WAITING_JOBS = 4

/**
 * Tests that need more than Node, by the part that runs them. Every other test runs with `npm test`.
 */
const SLOW_PARTS: Readonly<Record<string, SlowPart>> = {
  'test:media': { folders: ['test/media'], jobs: PLAYING_JOBS, isBuilt: true },
  'test:servers': { folders: ['test/servers'], jobs: WAITING_JOBS },
  'test:system': {
    folders: ['test/system/audit', 'test/system/cluster', 'test/system/history', 'test/system/whole'],
    jobs: PLAYING_JOBS,
    isBuilt: true,
  },
  'test:browser': { folders: ['test/web/browser', 'test/system/players'], jobs: PLAYING_JOBS, isBuilt: true },
}

/** `npm test` runs a few seeds. */
const SIMULATION_SEEDS = 200

/** In the order in which `npm run test:all` runs them. */
export const PARTS: readonly Part[] = [
  {
    script: 'test',
    files: ['test/**/*.test.ts'],
    except: Object.values(SLOW_PARTS).flatMap(({ folders }) => folders.map((folder) => `${folder}/**`)),
    jobs: JOBS,
  },
  {
    script: 'test:simulation',
    files: ['test/simulation/*.test.ts'],
    jobs: JOBS,
    environment: { MARQUEE_TEST_SEEDS: `${SIMULATION_SEEDS}` },
  },
  ...Object.entries(SLOW_PARTS).map(([script, { folders, ...rest }]) => ({
    ...rest,
    script,
    files: folders.map((folder) => `${folder}/**/*.test.ts`),
  })),
]

/** Paths of a part's test files. @param root the repository */
export const filesOf = ({ files, except = [] }: Part, root: string): readonly string[] =>
  globSync([...files], { cwd: root, exclude: [...except] }).toSorted()
