/**
 * mkzip: files in an archive. Form 2 names them in the command, form 4 in the source object, one per line. Names inside
 * the archive can't lead out of the folder in which it is unpacked.
 */
import { MIB } from '../limits/bytes.ts';
import { decodePercent } from '../percent.ts';
import { utf8Length } from '../utf8.ts';
import type { CommandDefinition } from './command.ts';
import { invalidCommand, type ParameterTable, readValue } from './parameters.ts';
import { encodedText, encodedUrl, oneOf } from './value-forms.ts';

const MAX_ZIPPED_FILES = 1000;
export const MAX_ZIP_LIST_BYTES = 4 * MIB;
const MAX_NAME_BYTES = 1024;

const form = oneOf('2', '4');
const aliasText = encodedText(MAX_NAME_BYTES);

const parameters = {
  url: { value: encodedUrl, required: true, meaning: 'a file; repeated for each' },
  alias: { value: aliasText, meaning: 'its name in the archive; default: the end of the URL' },
} as const satisfies ParameterTable;

export interface ZipEntry {
  readonly url: string;
  readonly name: string;
}

export interface MkzipPlan {
  readonly command: 'mkzip';
  readonly form: '2' | '4';
  /** Empty in form 4: the source object lists them. */
  readonly entries: readonly ZipEntry[];
}

export const mkzip: CommandDefinition<MkzipPlan> = {
  syntax: 'mkzip/2/url/<encoded URL>[/alias/<encoded name>]… or mkzip/4',
  about: `An archive of the files named, at most ${MAX_ZIPPED_FILES}; the source object need only exist. mkzip/4 reads the same from the source object, one line \`/url/…/alias/…\` for each file.`,
  first: { name: 'form', value: form },
  steps: true,
  parameters,
  differences: [
    'Names are written as UTF-8, which every current program reads; other encodings are refused.',
    'Empty files are allowed. Two files of the same name, absolute names, and `..` in names are refused.',
  ],
  idle: false,
  product: 'file',
  parse([written, ...rest]) {
    const chosen = readValue('mkzip: the form', written, form);
    if (chosen === '4') {
      if (rest.length > 0) throw invalidCommand('mkzip/4 reads its files from the source object');
      return { command: 'mkzip', form: chosen, entries: [] };
    }
    return { command: 'mkzip', form: chosen, entries: readEntries(rest) };
  },
  print: (plan) => [plan.form, ...plan.entries.flatMap(printEntry)],
  sources: ({ entries }) => entries.map(({ url }) => url),
};

/** For mkzip/4: the content of the source object. */
export function parseZipList(text: string): readonly ZipEntry[] {
  const segments = text
    .split(/\r?\n/, MAX_ZIPPED_FILES + 2)
    .filter((line) => line.trim() !== '')
    .flatMap((line) => line.trim().replace(/^\//, '').split('/'));
  return readEntries(segments);
}

function readEntries(segments: readonly string[]): readonly ZipEntry[] {
  const entries: ZipEntry[] = [];
  const names = new Set<string>();
  let at = 0;
  while (at < segments.length) {
    if (entries.length === MAX_ZIPPED_FILES)
      throw invalidCommand(`mkzip takes at most ${MAX_ZIPPED_FILES} files`);
    if (segments[at] !== 'url') throw invalidCommand('mkzip: url is expected');
    const url = readValue('mkzip: url', segments[at + 1], encodedUrl);
    at += 2;
    let name = nameOfUrl(url);
    if (segments[at] === 'alias') {
      name = readValue('mkzip: alias', segments[at + 1], aliasText);
      at += 2;
    }
    if (!isSafeName(name)) throw invalidCommand('mkzip: a name must be relative, without .. and without \\');
    if (names.has(name)) throw invalidCommand('mkzip: two files have the same name');
    names.add(name);
    entries.push({ url, name });
  }
  if (entries.length === 0) throw invalidCommand('mkzip names no file');
  return entries;
}

function printEntry({ url, name }: ZipEntry): string[] {
  return ['url', encodedUrl.print(url), 'alias', aliasText.print(name)];
}

function nameOfUrl(url: string): string {
  const last = new URL(url).pathname.split('/').at(-1) ?? '';
  return decodePercent(last) ?? last;
}

export function isSafeName(name: string): boolean {
  const plain =
    name !== '' &&
    utf8Length(name) <= MAX_NAME_BYTES &&
    name.isWellFormed() &&
    !/[\p{Cc}\u2028\u2029\\]/u.test(name);
  const inside =
    !/^[A-Za-z]:/.test(name) && name.split('/').every((part) => part !== '' && part !== '.' && part !== '..');
  return plain && inside;
}
