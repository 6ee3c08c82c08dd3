/**
 * What engines say, in sentences for the user who sent the source. The engine's own output stays with the task, for its owner and
 * for operators; none of it reaches an error, except for names of codecs and the like, in their form.
 */
import { sniffMimeType } from '@millpond/protocol';

const PREFIX = 'execute fop cmd failed: ';

/** Every failure of a command begins alike. */
export function commandFailed(sentence: string): string {
  return PREFIX + sentence;
}

const NAME = '([A-Za-z0-9_.-]{1,32})';

/** The first that fits counts: what says more stands before what says less. */
const OF_FFMPEG: readonly (readonly [RegExp, string])[] = [
  [/moov atom not found/, 'the source is incomplete: its index (moov) is missing'],
  [/EBML header parsing failed/, 'the source is damaged: its header cannot be read'],
  [new RegExp(`No such filter: '${NAME}'`), 'this server’s ffmpeg lacks the filter $1'],
  [new RegExp(`Unknown encoder '${NAME}'`), 'this server’s ffmpeg lacks the encoder $1'],
  [new RegExp(`Unknown decoder '${NAME}'`), 'this server’s ffmpeg lacks the decoder $1'],
  [new RegExp(`Decoder \\(codec ${NAME}\\) not found`, 'i'), 'this server cannot decode $1'],
  [new RegExp(`no decoder found for: ${NAME}`, 'i'), 'this server cannot decode $1'],
  [
    new RegExp(`Could not find tag for codec ${NAME}|codec ${NAME} is not supported in`, 'i'),
    'the format cannot hold a track of codec $1$2',
  ],
  [
    /codec not currently supported in container|Unsupported codec id|not compatible with|Only .{1,60} are supported/i,
    'the format cannot hold a track of the codec that the source has',
  ],
  [
    /matches no streams|does not contain any stream/,
    'the source has no track of the kind that the command needs',
  ],
  [/Picture size \d+x\d+ is invalid|exceeds .{0,20}max_pixels|too large/i, 'the picture is too large'],
  [
    /Invalid (?:frame|picture) (?:size|dimensions)|maybe incorrect parameters/i,
    'the encoder cannot write a picture of this size, or at this rate',
  ],
  [
    /Specified (?:sample rate|channel layout)|(?:sample rate|channel layout).{0,60}(?:not supported|invalid)/i,
    'the encoder cannot write sound of these channels, or at this rate',
  ],
  [/Cannot allocate memory|Out of memory/i, 'it took too much memory'],
  [
    /Invalid data found|Failed to read frame size|not on whitelist|could not find codec parameters|End of file|partial file|Error opening input/i,
    'the source is damaged, or no video or recording that can be read here',
  ],
];

/** Why ffmpeg or ffprobe ended with an error. */
export function explainFfmpeg(words: string): string {
  for (const [form, sentence] of OF_FFMPEG) {
    const found = form.exec(words);
    if (found !== null) return commandFailed(sentence.replaceAll(/\$(\d)/g, (_, at) => found[at] ?? ''));
  }
  return commandFailed('the engine could not work on this source in this way');
}

/** Kinds of images that nothing here decodes, by their type. */
const UNREADABLE: Readonly<Record<string, string>> = {
  'image/heic': 'HEIC (HEVC)',
  'image/heif': 'HEIF',
  'image/jxl': 'JPEG XL',
  'image/jp2': 'JPEG 2000',
  'image/svg+xml': 'SVG',
  'image/x-icon': 'an icon',
  'application/pdf': 'PDF',
  'application/postscript': 'PostScript',
};

/** Why the image program could not read, or not write, images that begin so. */
export function explainImage(words: string, heads: readonly Uint8Array[]): string {
  if (/exceeds pixel limit/i.test(words))
    return commandFailed('the image is too large: it has more than 150 megapixels');
  if (/timeout/i.test(words)) return commandFailed('the image took too long');
  for (const type of heads.map(sniffMimeType)) {
    const kind = UNREADABLE[type ?? ''];
    if (kind !== undefined)
      return commandFailed(`the image cannot be read: it is ${kind}, which this server cannot decode`);
    if (type?.startsWith('video/'))
      return commandFailed('the image cannot be read: it is a video; vframe takes an image from one');
  }
  return commandFailed(
    'the image cannot be read: it is damaged, or no image of a kind that can be read here',
  );
}

/** Why a source that begins so is no film; undefined if its beginning does not say. */
export function explainNoVideo(head: Uint8Array): string | undefined {
  const type = sniffMimeType(head);
  if (type === undefined || !type.startsWith('image/') || type === 'image/gif') return undefined;
  const hint =
    type === 'image/webp'
      ? ': if it is animated, imageMogr2/format/gif before this command makes it one'
      : '';
  return commandFailed(`the source is an image (${type}), not a video${hint}`);
}
