/** Checks ffmpeg: that it exists, and that it has the encoders for every player. */
import { findPrograms } from '../../ffmpeg/ffmpeg-programs.ts'
import { generatedInput } from '../../ffmpeg/inputs.ts'
import { runShort } from '../../ffmpeg/run.ts'
import { failed, ok, warning, type Finding } from './finding.ts'

const TIMEOUT_MS = 20_000
const MAX_BYTES = 1e6

/** The minimum for transcoding for any player. */
const ENCODERS = { video: 'libx264', audio: 'aac' } as const

export async function checkPrograms(env: Readonly<Record<string, string | undefined>>): Promise<readonly Finding[]> {
  try {
    const { ffmpeg, version, source } = await findPrograms(env)
    const from = { configured: 'FFMPEG_PATH', path: 'the PATH', packaged: 'the package' }[source]
    return [ok('ffmpeg', `${ffmpeg} ${version}, from ${from}`), await checkEncoders(ffmpeg)]
  } catch (cause) {
    const text = cause instanceof Error ? cause.message : String(cause)
    return [failed('ffmpeg', text, 'Films cannot be read or transcoded without it.')]
  }
}

async function checkEncoders(ffmpeg: string): Promise<Finding> {
  const inputs = [...generatedInput('testsrc=size=320x180:rate=25:duration=1'), ...generatedInput('sine=duration=1')]
  const args = [...inputs, '-c:v', ENCODERS.video, '-c:a', ENCODERS.audio, '-f', 'null', '-']
  const { code, stopped } = await runShort(ffmpeg, ['-v', 'error', '-nostdin', ...args], {
    work: 'encode',
    timeoutMs: TIMEOUT_MS,
    maxBytes: MAX_BYTES,
  })
  const names = Object.values(ENCODERS).join(' and ')
  if (code === 0 && !stopped) return ok('encoders', `${names} work`)
  return warning(
    'encoders',
    `${names} do not both work in this ffmpeg`,
    'Install an ffmpeg that was built with libx264: films that a player cannot play as they are stay silent or dark.',
  )
}
