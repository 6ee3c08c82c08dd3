/**
 * A command's text taken apart for forms, and put together again. Whatever was written survives, right or wrong: what a form
 * does not know stays as it is, and the protocol's own parser says what is wrong with it.
 */
import { Fault, parseFops, parseUrlCommands } from '@millpond/protocol';
import { offeredBy, parameterOf } from './tables.ts';

export interface Pair {
  readonly name: string;
  /** Undefined: a word that has no value, or whose value is not written yet. */
  readonly value?: string | undefined;
}

export interface StageText {
  readonly name: string;
  /** The mode or format right after the name. */
  readonly first?: string | undefined;
  readonly pairs: readonly Pair[];
  readonly rest: readonly string[];
}

export function readStages(text: string): readonly StageText[] {
  return text === '' ? [] : text.split('|').map(readStage);
}

export function writeStages(stages: readonly StageText[]): string {
  return stages.map(writeStage).join('|');
}

function writeStage({ name, first, pairs, rest }: StageText): string {
  const written = pairs.flatMap((pair) => (pair.value === undefined ? [pair.name] : [pair.name, pair.value]));
  return [name, ...(first === undefined ? [] : [first]), ...written, ...rest].join('/');
}

function readStage(text: string): StageText {
  const [name = '', ...segments] = text.split('/');
  const hasFirst = name === 'saveas' || offeredBy(name, undefined)?.first !== undefined;
  const first = hasFirst ? segments.shift() : undefined;
  const offered = offeredBy(name, first);
  const pairs: Pair[] = [];
  if (offered !== undefined)
    while (segments[0] !== undefined) {
      const word = segments[0];
      if (offered.words.includes(word)) pairs.push({ name: word });
      else if (parameterOf(offered, word) !== undefined) pairs.push({ name: word, value: segments[1] });
      else break;
      segments.splice(0, pairs.at(-1)?.value === undefined ? 1 : 2);
    }
  return { name, ...(first === undefined ? {} : { first }), pairs, rest: segments };
}

/** What the parser says is wrong; undefined if nothing is. */
export function parseProblem(text: string, way: 'url' | 'task'): string | undefined {
  try {
    if (way === 'url') parseUrlCommands(text);
    else parseFops(text);
    return undefined;
  } catch (error) {
    if (error instanceof Fault) return error.hint ?? error.message;
    throw error;
  }
}

const BEGINNINGS: Readonly<Record<string, string>> = {
  imageView2: 'imageView2/2/w/400',
  imageMogr2: 'imageMogr2/auto-orient/thumbnail/400x',
  // “Millpond”
  watermark: 'watermark/2/text/TWlsbHBvbmQ=',
  vframe: 'vframe/jpg/offset/1',
  // “frames/$(count).jpg”
  vsample: 'vsample/jpg/ss/0/t/10/pattern/ZnJhbWVzLyQoY291bnQpLmpwZw==',
  avthumb: 'avthumb/mp4',
  avconcat: 'avconcat/2/format/mp4',
  qhash: 'qhash/md5',
  mkzip: 'mkzip/4',
  // “application/octet-stream”
  concat: 'concat/mimeType/YXBwbGljYXRpb24vb2N0ZXQtc3RyZWFt',
};

/** A command to begin with, which its form then changes. */
export function beginning(name: string): string {
  return BEGINNINGS[name] ?? name;
}
