#!/usr/bin/env node
/**
 * The command `marquee` of the npm package: without the name of a command it starts the server, `marquee --media <folder>`; with one it is
 * the command line, `marquee backup <folder>`. Plain JavaScript that old Nodes read, so that they can say what is missing.
 */
const NODE = 24

if (Number(process.versions.node.split('.')[0]) < NODE) {
  console.error(`Marquee needs Node.js ${NODE} or newer, and this is ${process.versions.node}. Run: npx --package=node@${NODE} -- marquee`)
  process.exit(1)
}
for (const name of ['COMMAND_NAME', 'START_COMMAND']) process.env[name] ??= 'marquee'
const [first = '-'] = process.argv.slice(2)
await import(first.startsWith('-') ? '../dist/main.js' : '../dist/cli.js')
