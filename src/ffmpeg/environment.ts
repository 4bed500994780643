/**
 * Builds the environment of ffmpeg and ffprobe: only variables that they and graphics drivers need. A program that decodes strangers' films
 * gets none of our secrets, no server password and no proxy.
 */

const PASSED = new RegExp(
  '^(?:PATH|HOME|USER|LOGNAME|LANG|LANGUAGE|TZ|TMPDIR|TMP|TEMP|SYSTEMROOT|WINDIR|DISPLAY|WAYLAND_DISPLAY|OCL_ICD_VENDORS|' +
    '(?:LC|LD|DYLD|XDG|FONTCONFIG|LIBVA|VDPAU|VK|MESA|LIBGL|EGL|DRI|GALLIUM|LP|CUDA|NVIDIA|ONEVPL|MFX|INTEL|ANV|RADV|AMD)_\\w+)$',
)
/** Static builds crash on a transport stream when they load the machine's character set modules; nothing here needs them. */
const NO_CHARACTER_SETS = { GCONV_PATH: '/nonexistent' }

export function programEnvironment(all: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  return { ...Object.fromEntries(Object.entries(all).filter(([name]) => PASSED.test(name))), ...NO_CHARACTER_SETS }
}
