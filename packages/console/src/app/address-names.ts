/**
 * Names in an address that are of a known form: what is of another names nothing, and is not shown. Anybody can send somebody a link, and
 * its words would stand where the console's own do.
 */
import { isBucketName } from '@millpond/protocol';

const ID = /^[\w.-]{1,128}$/;

const isName: Readonly<Record<string, (text: string) => boolean>> = {
  bucket: isBucketName,
  gbId: (text) => ID.test(text),
  id: (text) => ID.test(text),
  key: (text) => ID.test(text),
  name: (text) => ID.test(text),
  ns: (text) => ID.test(text),
  reqid: (text) => ID.test(text),
  stream: (text) => ID.test(text),
};

/** By the names of the parameters that routes have. */
export function couldNameSomething(parameters: Readonly<Record<string, string | undefined>>): boolean {
  return Object.entries(parameters).every(([name, value = '']) => isName[name]?.(value) ?? true);
}
