/** Sets a damaged file aside for inspection, renamed with a timestamp, so that an empty one can take its place. Only the latest is kept. */
import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

const ASIDE = /-damaged-\d{8}T\d{6}Z$/

/** `consequence`: what the new file means for people, the end of the warning's sentence. */
export function setAside(file: string, consequence: string): void {
  const folder = dirname(file)
  for (const name of readdirSync(folder)) {
    if (name.startsWith(basename(file)) && ASIDE.test(name)) rmSync(join(folder, name), { force: true })
  }
  const time = new Date().toISOString().replaceAll(/[-:]|\.\d+/g, '')
  const aside = `${file}-damaged-${time}`
  if (existsSync(file)) renameSync(file, aside)
  console.error(`${file} was damaged: it is kept as ${aside}, and ${consequence}.`)
  removeDatabase(file)
}

/** Removes the file of a database and its journals. */
export function removeDatabase(file: string): void {
  for (const path of [file, `${file}-wal`, `${file}-shm`, `${file}-journal`]) rmSync(path, { force: true })
}
