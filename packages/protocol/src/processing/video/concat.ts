/** concat: files joined byte by byte. */

import { isValidMimeType } from '../../mime/type.ts';
import type { CommandDefinition } from '../command.ts';
import { invalidCommand, type ParameterTable, readValue } from '../parameters.ts';
import { encodedText, encodedUrl, type ValueSyntax } from '../value-forms.ts';

/** Including the source itself. */
const MAX_CONCATENATED_FILES = 1000;

const text = encodedText(200);
const encodedMimeType: ValueSyntax<string> = {
  form: 'URL-safe Base64 of a MIME type',
  shape: { kind: 'encoded', of: 'text' },
  read(encoded) {
    const mimeType = text.read(encoded);
    return mimeType !== undefined && isValidMimeType(mimeType) ? mimeType : undefined;
  },
  print: (mimeType) => text.print(mimeType),
};

const parameters = {
  mimeType: { value: encodedMimeType, required: true, meaning: 'MIME type of the result' },
} as const satisfies ParameterTable;

export interface ConcatPlan {
  readonly command: 'concat';
  readonly mimeType: string;
  readonly urls: readonly string[];
}

export const concat: CommandDefinition<ConcatPlan> = {
  syntax: 'concat/mimeType/<encoded MIME type>/<encoded URL>…',
  about: `The bytes of the source and of further files, one after another, at most ${MAX_CONCATENATED_FILES} files.`,
  parameters,
  rest: encodedUrl,
  idle: false,
  product: 'file',
  parse([name, mimeType, ...rest]) {
    if (name !== 'mimeType') throw invalidCommand('concat: mimeType is missing');
    if (rest.length === 0) throw invalidCommand('concat names nothing to join');
    if (rest.length >= MAX_CONCATENATED_FILES)
      throw invalidCommand(`concat joins at most ${MAX_CONCATENATED_FILES} files, including the source`);
    return {
      command: 'concat',
      mimeType: readValue('concat: mimeType', mimeType, encodedMimeType),
      urls: rest.map((encoded) => readValue('concat: a source', encoded, encodedUrl)),
    };
  },
  print: (plan) => [
    'mimeType',
    encodedMimeType.print(plan.mimeType),
    ...plan.urls.map((url) => encodedUrl.print(url)),
  ],
  sources: ({ urls }) => urls,
};
