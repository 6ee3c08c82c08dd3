/**
 * Paths in backticks that lead nowhere. What counts as one: a word with a slash whose first folder is one of the project's, or that
 * ends as a source file does; and the bare name of a TypeScript file. A path is written from the project's root, so that it can be opened.
 */
import path from 'node:path';
import { Marked, type Tokens } from 'marked';

export interface MarkdownPage {
  /** The page's path from the project's root, for the message. */
  readonly page: string;
  readonly markdown: string;
}

/** Where the server's own folders are: paths that leave this out are told so. */
const SERVER = 'packages/server/src';
const SOURCE = /\.(?:tsx?|sql|dot)$/;
/** A word that can be a path: names of files, and the marks of a pattern, which begins with a name too. */
const PATH = /^\.?[\w@][\w@.,*{}-]*(?:\/[\w@.,*{}-]+)*\/?$/;
/** Commands of a checkout: their words are looked at, those of other programs mean something else. */
const OF_CHECKOUT = /^(?:npm|npx|node|git) /;

/** `files`: all files and folders of the project. */
export function missingPaths(pages: readonly MarkdownPage[], files: ReadonlySet<string>): string[] {
  const folders = new Set([...files].filter((file) => file.includes('/')).map((file) => firstOf(file)));
  const ofServer = new Set([...files].filter(isOfServer).map((file) => firstOf(withoutServer(file))));
  const names = new Set([...files].map((file) => path.posix.basename(file)));
  const exists = (word: string) => isThere(word, files);

  function faultOf(word: string): string | undefined {
    if (!PATH.test(word)) return undefined;
    if (!word.includes('/')) {
      if (!/^\w.*\.tsx?$/.test(word) || names.has(word) || /[*{]/.test(word)) return undefined;
      return `there is no file ${word}`;
    }
    if (folders.has(firstOf(word))) return exists(word) ? undefined : `there is no ${word}`;
    if (exists(`${SERVER}/${word}`)) return `${word} is ${SERVER}/${word}: write the whole path`;
    if (SOURCE.test(word) || ofServer.has(firstOf(word))) return `there is no ${word}`;
    return undefined;
  }

  return pages.flatMap(({ page, markdown }) =>
    wordsOf(markdown).flatMap((word) => {
      const fault = faultOf(word);
      return fault === undefined ? [] : [`${page}: ${fault}`];
    }),
  );
}

function isOfServer(file: string): boolean {
  return file.startsWith(`${SERVER}/`) && withoutServer(file).includes('/');
}

function withoutServer(file: string): string {
  return file.slice(SERVER.length + 1);
}

function firstOf(file: string): string {
  return file.slice(0, file.indexOf('/'));
}

/** A pattern needs something that it matches. */
function isThere(word: string, files: ReadonlySet<string>): boolean {
  const pattern = word.replace(/\/$/, '');
  if (!/[*{]/.test(pattern)) return files.has(pattern);
  return [...files].some((file) => path.posix.matchesGlob(file, pattern));
}

/** The words of all code inside of lines, with `*` for `<any name>`; blocks are programs and output. */
function wordsOf(markdown: string): string[] {
  const words: string[] = [];
  const marked = new Marked({
    gfm: true,
    walkTokens(token) {
      if (token.type !== 'codespan') return;
      const text = unescaped((token as Tokens.Codespan).text).replaceAll(/<[^<>]*>/g, '*');
      if (!text.includes(' ')) words.push(text);
      else if (OF_CHECKOUT.test(text)) words.push(...text.split(/\s+/));
    },
  });
  marked.parse(markdown, { async: false });
  return words;
}

function unescaped(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}
