/** How people call the command line: packages that install a command of its own set `COMMAND_NAME` in it. */
export const COMMAND_NAME = process.env['COMMAND_NAME'] ?? 'npm run marquee --'
