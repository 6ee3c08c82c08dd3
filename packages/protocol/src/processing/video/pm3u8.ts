/**
 * pm3u8: a playlist of a private bucket whose URIs are signed. It is part of the URL of a download that is signed
 * itself, and cannot be a task: its output expires with the signature.
 */
import { MAX_KEY_BYTES } from '../../limits/limits.ts';
import { invalidCommand, printParameters, readParameters, readValue, type Values } from '../parameters.ts';
import { encodedText, integer, oneOf } from '../value-forms.ts';

const DAY = 86_400;
const MAX_EXPIRES = 7 * DAY;
/** More than two hundred years from now. */
export const MAX_PM3U8_DEADLINE = 9_999_999_999;
const MAX_PREFIX_BYTES = MAX_KEY_BYTES;

const parameters = {
  expires: {
    value: integer(1, MAX_EXPIRES),
    meaning: 'the URIs are valid for this many seconds from each request; default: until the `e` of the URL',
  },
  deadline: {
    value: integer(1, MAX_PM3U8_DEADLINE),
    meaning: 'the URIs are valid until this time, in unix seconds; `expires` is then ignored',
  },
  prefix: {
    value: encodedText(MAX_PREFIX_BYTES),
    meaning: 'only URIs of objects whose keys begin with this are signed; default: all of the bucket',
  },
} as const;

export type Pm3u8Plan = Values<typeof parameters>;

export const PM3U8 = 'pm3u8';

/** For the reference page. */
export const pm3u8 = {
  syntax: 'pm3u8/0[/expires/<seconds>][/deadline/<unix seconds>][/prefix/<EncodedPrefix>]',
  about:
    'The playlist with every URI signed that names an object of the same bucket: segments, keys, heads, and playlists, which ' +
    'get pm3u8 themselves. Only in the signed URL of a download; see [downloads.md](../downloads.md#video-of-a-private-bucket).',
  parameters,
  differences: [
    'Without `expires` and `deadline` the URIs are valid until the `e` of the URL.',
    'URIs of other buckets and hosts stay as they are. `query` is not offered.',
  ],
  idle: false,
} as const;

export function isPm3u8(commands: string): boolean {
  return /^pm3u8(?:[/|]|$)/.test(commands);
}

export function parsePm3u8(commands: string): Pm3u8Plan {
  if (commands.includes('|')) throw invalidCommand('pm3u8 cannot be combined with other commands');
  const [, mode, ...pairs] = commands.split('/');
  readValue('pm3u8: the mode', mode, oneOf('0'));
  return readParameters(PM3U8, pairs, parameters);
}

export function printPm3u8(plan: Pm3u8Plan): string {
  return [PM3U8, '0', ...printParameters(parameters, plan)].join('/');
}
