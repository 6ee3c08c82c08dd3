/** Options for the headers that downloads of an object carry, for commands that set them. */
import { type ResponseHeaderName, type ResponseHeaders, responseHeaderProblem } from '@millpond/protocol';
import { type Command, InvalidArgumentError } from 'commander';

export interface ResponseHeaderOptions {
  readonly cacheControl?: string;
  readonly contentDisposition?: string;
  readonly contentEncoding?: string;
  readonly contentLanguage?: string;
  readonly expires?: string;
}

const OPTIONS: readonly [keyof ResponseHeaderOptions, ResponseHeaderName, string, string][] = [
  [
    'cacheControl',
    'Cache-Control',
    'directives',
    'how long caches may keep it, such as "public, max-age=3600"',
  ],
  ['contentDisposition', 'Content-Disposition', 'text', 'such as "inline", or a name to save it as'],
  ['contentEncoding', 'Content-Encoding', 'codings', 'such as gzip, for content that is already compressed'],
  ['contentLanguage', 'Content-Language', 'languages', 'such as de or "en, fr"'],
  ['expires', 'Expires', 'date', 'until when caches may keep it, as an HTTP date'],
];

/** `empty` is what an empty value means, if it means anything. */
export function addResponseHeaders(
  command: Command,
  { whose, empty }: { whose: string; empty?: string },
): Command {
  for (const [, name, value, about] of OPTIONS) {
    const said = `${name} of ${whose}: ${about}${empty === undefined ? '' : `; ${empty}`}`;
    command.option(`--${name.toLowerCase()} <${value}>`, said, (text: string) => {
      const fault = text === '' && empty !== undefined ? undefined : responseHeaderProblem(name, text);
      if (fault !== undefined) throw new InvalidArgumentError(fault);
      return text;
    });
  }
  return command;
}

/** Undefined if none was given. */
export function responseHeadersOf(options: ResponseHeaderOptions): ResponseHeaders | undefined {
  const given = OPTIONS.flatMap(([option, name]) =>
    options[option] === undefined ? [] : [[name, options[option]] as const],
  );
  return given.length === 0 ? undefined : Object.fromEntries(given);
}
