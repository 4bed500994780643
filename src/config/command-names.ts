/** How people start the server and call the command line: packages that install commands of their own set these names. */
export const COMMAND_NAME = process.env['COMMAND_NAME'] ?? 'npm run marquee --'
export const START_COMMAND = process.env['START_COMMAND'] ?? 'npm start --'
