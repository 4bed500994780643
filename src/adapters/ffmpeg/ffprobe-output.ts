/** Types of ffprobe's JSON output. Every member may be missing; numbers often come as text. */
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
  readonly start_time?: string
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
