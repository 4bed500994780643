/** Defines the parts of the tests: the files of each, and the parts' requirements. */
import { globSync } from 'node:fs'

export interface Part {
  /** The script in package.json. */
  readonly script: string
  /** Globs, from the repository's root. */
  readonly files: readonly string[]
  readonly except?: readonly string[]
  /** Environment of its test processes. */
  readonly environment?: Readonly<Record<string, string>>
}

/** Folders whose tests need more than Node, by the part that runs them. Every other test runs with `npm test`. */
const SLOW_FOLDERS: Readonly<Record<string, readonly string[]>> = {
  'test:media': ['test/media'],
  'test:servers': ['test/servers'],
  'test:system': ['test/system', 'test/web/browser'],
}

/** `npm test` runs a few seeds. */
const SIMULATION_SEEDS = 200

/** In the order in which `npm run test:all` runs them. */
export const PARTS: readonly Part[] = [
  {
    script: 'test',
    files: ['test/**/*.test.ts'],
    except: Object.values(SLOW_FOLDERS).flatMap((folders) => folders.map((folder) => `${folder}/**`)),
  },
  {
    script: 'test:simulation',
    files: ['test/simulation/*.test.ts'],
    environment: { MARQUEE_TEST_SEEDS: `${SIMULATION_SEEDS}` },
  },
  ...Object.entries(SLOW_FOLDERS).map(([script, folders]) => ({ script, files: folders.map((folder) => `${folder}/**/*.test.ts`) })),
]

/** Paths of a part's test files. @param root the repository */
export const filesOf = ({ files, except = [] }: Part, root: string): readonly string[] =>
  globSync([...files], { cwd: root, exclude: [...except] }).toSorted()
