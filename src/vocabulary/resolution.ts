/**
 * Resolution classes: the smallest 16:9 box that holds the video within 2 %, after turning it to landscape.
 */
export const RESOLUTIONS = ['240p', '360p', '480p', '720p', '1080p', '1440p', '2160p'] as const
export type Resolution = (typeof RESOLUTIONS)[number]

/** Largest width and height of each class; 480p also takes PAL's 720x576. */
const BOXES: Readonly<Record<Resolution, readonly (readonly [width: number, height: number])[]>> = {
  '240p': [[426, 240]],
  '360p': [[640, 360]],
  '480p': [
    [854, 480],
    [720, 576],
  ],
  '720p': [[1280, 720]],
  '1080p': [[1920, 1080]],
  '1440p': [[2560, 1440]],
  '2160p': [[3840, 2160]],
}
const TOLERANCE = 1.02

export function resolutionOf(width: number, height: number): Resolution {
  const long = Math.max(width, height)
  const short = Math.min(width, height)
  const fits = (name: Resolution) => BOXES[name].some(([w, h]) => long <= w * TOLERANCE && short <= h * TOLERANCE)
  return RESOLUTIONS.find(fits) ?? '2160p'
}
