/** What ffprobe reports about a media file: unchanged, and in the shape of the `avinfo` variable. */
import { type Fields, fieldsOf, parseJson } from '@millpond/base';

export interface MediaInspection {
  /** As the `avinfo` command answers it. */
  readonly avinfo: { readonly streams: readonly Fields[]; readonly format: Fields };
  /** As the `avinfo` variable has it: the first audio and the first video stream. */
  readonly variable: {
    readonly audio?: Fields;
    readonly video?: Fields;
    readonly format: Fields;
  };
}

/** undefined: not ffprobe's output for a media file. */
export function readAvinfo(text: string): MediaInspection | undefined {
  const { streams: listed, format: told } = fieldsOf(parseJson(text));
  if (!Array.isArray(listed) || listed.length === 0 || told === undefined) return undefined;
  const streams = listed.map(fieldsOf);
  // The path is ours, and means nothing to the sender of the file.
  const { filename: _, ...format } = fieldsOf(told);
  const audio = streams.find((stream) => stream.codec_type === 'audio');
  const video = streams.find((stream) => stream.codec_type === 'video' && !isCover(stream));
  return {
    avinfo: { streams, format },
    variable: {
      ...(audio === undefined ? {} : { audio }),
      ...(video === undefined ? {} : { video }),
      format,
    },
  };
}

/** Cover art is no video. */
function isCover(stream: Fields): boolean {
  return fieldsOf(stream.disposition).attached_pic === 1;
}
