/** A process that locks a data folder and reports it; it ends when its standard input does. */
import { ownDataFolder } from '../../src/process/data-folder.ts'

const folder = ownDataFolder({ dataDir: process.argv[2] ?? '', blobs: undefined })
console.log('problem' in folder ? folder.problem : 'owned')
process.stdin.resume().on('end', () => process.exit(0))
