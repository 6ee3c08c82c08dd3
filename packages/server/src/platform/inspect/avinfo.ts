/** What ffprobe tells of a media file: as it is, and in the shape that the `avinfo` variable has. */
import { type Fields, fieldsOf, parseJson } from '../json.ts';

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

/** undefined: not what ffprobe writes of a media file. */
export function readAvinfo(text: string): MediaInspection | undefined {
  const { streams: listed, format: told } = fieldsOf(parseJson(text));
  if (!Array.isArray(listed) || listed.length === 0 || told === undefined) return undefined;
  const streams = listed.map(fieldsOf);
  // The path is ours, and says nothing to whoever sent the file.
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

/** The picture of a record's sleeve is no video. */
function isCover(stream: Fields): boolean {
  return fieldsOf(stream.disposition).attached_pic === 1;
}
