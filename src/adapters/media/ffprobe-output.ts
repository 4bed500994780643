/** What ffprobe is asked for, and the shape of its JSON. Every member may be missing; numbers often come as text. */
export interface FfprobeStream {
  readonly index: number
  readonly codec_name?: string
  readonly codec_type?: string
  readonly profile?: string
  readonly level?: number
  readonly width?: number
  readonly height?: number
  readonly pix_fmt?: string
  readonly sample_aspect_ratio?: string
  readonly avg_frame_rate?: string
  readonly r_frame_rate?: string
  readonly field_order?: string
  readonly bits_per_raw_sample?: string
  readonly color_transfer?: string
  readonly color_primaries?: string
  readonly color_space?: string
  readonly color_range?: string
  readonly bit_rate?: string
  readonly channels?: number
  readonly channel_layout?: string
  readonly sample_rate?: string
  readonly duration?: string
  readonly tags?: Readonly<Record<string, string>>
  readonly disposition?: Readonly<Record<string, number>>
  readonly side_data_list?: readonly FfprobeSideData[]
}

export interface FfprobeSideData {
  readonly side_data_type?: string
  /** Degrees counter-clockwise. */
  readonly rotation?: number
  readonly dv_profile?: number
  readonly dv_level?: number
  readonly dv_bl_signal_compatibility_id?: number
  readonly el_present_flag?: number
}

export interface FfprobeOutput {
  readonly format?: {
    readonly format_name?: string
    readonly start_time?: string
    readonly duration?: string
    readonly bit_rate?: string
  }
  readonly streams?: readonly FfprobeStream[]
  readonly chapters?: readonly { readonly start_time?: string; readonly tags?: Readonly<Record<string, string>> }[]
}

const STREAM =
  'index,codec_name,codec_type,profile,level,width,height,pix_fmt,sample_aspect_ratio,avg_frame_rate,r_frame_rate,field_order,' +
  'bits_per_raw_sample,color_transfer,color_primaries,color_space,color_range,bit_rate,channels,channel_layout,sample_rate,duration'

/** Arguments that make ffprobe print an FfprobeOutput. */
export const DESCRIBE: readonly string[] = [
  '-of',
  'json',
  '-show_entries',
  [
    'format=format_name,start_time,duration,bit_rate',
    `stream=${STREAM}`,
    'stream_tags=language,title,rotate,BPS,BPS-eng',
    'stream_disposition=default,forced,hearing_impaired,attached_pic,timed_thumbnails',
    'stream_side_data=side_data_type,rotation,dv_profile,dv_level,dv_bl_signal_compatibility_id,el_present_flag',
    'chapter=start_time',
    'chapter_tags=title',
  ].join(':'),
]
