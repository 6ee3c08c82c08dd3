/**
 * What helps against a failure, as far as its words tell. The words are those of the server's own refusals and of the engines
 * that it runs; the first rule that fits decides.
 */
import type { TaskItem } from '@millpond/client/session';

export type Advice =
  | 'broken'
  | 'missing'
  | 'refused'
  | 'unreachable'
  | 'offset'
  | 'disagree'
  | 'slow'
  | 'memory'
  | 'large'
  | 'stream'
  | 'format'
  | 'codec'
  | 'exif'
  | 'subtitle'
  | 'cancelled'
  | 'crashed'
  | 'machine'
  | 'bucket'
  | 'unknown';

/** What a reader can do at once. */
export type AdviceAct = 'source' | 'rerun' | 'builder' | 'bucket';

const RULES: readonly (readonly [RegExp, Advice])[] = [
  [/^cancelled$/, 'cancelled'],
  [/^given up/, 'crashed'],
  [/no space left|engine was killed|too many images at once/i, 'machine'],
  [/offset is beyond|ss is beyond/, 'offset'],
  [/no object of yours|a source is missing|a source answered (?:404|61[24])/, 'missing'],
  [/a source answered (?:401|403)/, 'refused'],
  [/a source (?:answered|cannot be fetched|is not a URL)/, 'unreachable'],
  [/too much processor time|took too long/, 'slow'],
  [/too much memory|images may have at most|sources are too large/, 'memory'],
  [/result is too large|playlist is too large/, 'large'],
  [
    /(?:result|source) has no (?:video|sound|audio|track)|none of the sources has sound|matches no streams|does not contain any stream/i,
    'stream',
  ],
  [/cannot hold|cannot say/, 'format'],
  [/server cannot decode|ffmpeg lacks/, 'codec'],
  [/no exif data/i, 'exif'],
  [/subtitle/i, 'subtitle'],
  [/differs from the first/, 'disagree'],
  [/no such bucket/i, 'bucket'],
  [
    /source (?:is (?:damaged|incomplete|an image)|ends after)|image cannot be read|moov atom not found|invalid data found|not a (?:valid video|media file)|image is (?:broken|empty)|end of file|partial file|truncat|corrupt|VipsJpeg|crashed|no duration|returned no image/i,
    'broken',
  ],
];

export function adviceFor({ error, words }: Pick<TaskItem, 'error' | 'words'>): Advice {
  const find = (text: string) => RULES.find(([form]) => form.test(text))?.[1];
  // What the server itself says is surer than what stands among an engine's last lines.
  return find(error) ?? find(words ?? '') ?? 'unknown';
}

const ACTS: Readonly<Record<Advice, readonly AdviceAct[]>> = {
  broken: ['source', 'rerun'],
  missing: ['builder', 'rerun'],
  refused: ['builder', 'rerun'],
  unreachable: ['rerun', 'builder'],
  offset: ['builder'],
  disagree: ['builder'],
  slow: ['builder', 'rerun'],
  memory: ['builder'],
  large: ['builder'],
  stream: ['source', 'builder'],
  format: ['builder'],
  codec: ['source', 'builder'],
  exif: ['source'],
  subtitle: ['builder'],
  cancelled: ['rerun'],
  crashed: ['rerun', 'source'],
  machine: ['rerun'],
  bucket: ['bucket', 'rerun'],
  unknown: ['rerun', 'builder'],
};

export function actsOf(advice: Advice): readonly AdviceAct[] {
  return ACTS[advice];
}
