/** Rules of a bucket: which changes of which objects are sent where. Reading and checking what an owner gives. */
import { OutboundError } from '@millpond/outbound';
import { checkKey, Fault, selectableEvents, type WireRecord } from '@millpond/protocol';
import { invalidBodyFault, parseJsonBody, requireJsonObject } from '../buckets/index.ts';

export type EventRule = WireRecord<'EventRule'>;

const MAX_EVENT_RULES = 100;
const MAX_NAME_LENGTH = 255;
const MAX_URL_LENGTH = 2048;
/** Printable: it is shown among endpoints and in logs. */
const NAME = /^[^\p{C}\p{Zl}\p{Zp}]+$/u;
const SELECTABLE = new Set(selectableEvents);
const FIELDS = new Set(['name', 'url', 'events', 'prefix', 'suffix', 'minSize', 'maxSize']);

export interface UrlCheck {
  check(url: string): void;
}

/** What a body holds; `checkEventRules` says whether these are rules. */
export function readEventRules(body: Buffer): readonly unknown[] {
  const given = parseJsonBody(body);
  if (!Array.isArray(given)) throw invalidBodyFault('the body must be a JSON array of rules');
  return given;
}

/** Throws unless all of them may be set together. */
export function checkEventRules(given: readonly unknown[], outbound: UrlCheck): EventRule[] {
  if (given.length > MAX_EVENT_RULES)
    throw invalidBodyFault(`a bucket may have at most ${MAX_EVENT_RULES} event rules`);
  const rules = given.map((rule) => readRule(rule, outbound));
  if (new Set(rules.map(({ name }) => name)).size < rules.length)
    throw invalidBodyFault('two rules have the same name');
  return rules;
}

function readRule(given: unknown, outbound: UrlCheck): EventRule {
  const fields = requireJsonObject(given);
  const unknown = Object.keys(fields).find((name) => !FIELDS.has(name));
  if (unknown !== undefined)
    throw invalidBodyFault(
      `a rule has no field ${JSON.stringify(unknown.slice(0, 50))}, only ${[...FIELDS].join(', ')}`,
    );
  const { name, url, events } = fields;
  if (typeof name !== 'string' || name.length > MAX_NAME_LENGTH || !NAME.test(name))
    throw invalidBodyFault(`name must be 1 to ${MAX_NAME_LENGTH} printable characters`);
  if (typeof url !== 'string' || url.length > MAX_URL_LENGTH)
    throw invalidBodyFault(`url must be a URL of at most ${MAX_URL_LENGTH} characters`);
  checkUrl(outbound, url);
  const [prefix, suffix] = [readAffix(fields, 'prefix'), readAffix(fields, 'suffix')];
  const [minSize, maxSize] = [readSize(fields, 'minSize'), readSize(fields, 'maxSize')];
  if (minSize !== undefined && maxSize !== undefined && minSize > maxSize)
    throw invalidBodyFault('minSize is larger than maxSize');
  return {
    name,
    url,
    events: readEvents(events),
    ...(prefix !== '' && { prefix }),
    ...(suffix !== '' && { suffix }),
    ...(minSize !== undefined && { minSize }),
    ...(maxSize !== undefined && { maxSize }),
  };
}

/** Denied addresses are not checked here: they fail when called. */
function checkUrl(outbound: UrlCheck, url: string): void {
  try {
    outbound.check(url);
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    if (error.blocked?.address === undefined) throw invalidBodyFault(`url: ${error.detail}`);
  }
}

function readEvents(given: unknown): string[] {
  if (!Array.isArray(given) || given.length === 0)
    throw invalidBodyFault('events must be a list of at least one event');
  const unknown = given.find((event) => !SELECTABLE.has(event));
  if (unknown !== undefined)
    throw invalidBodyFault(
      `there is no event ${String(JSON.stringify(unknown)).slice(0, 50)}; there are ${[...SELECTABLE].join(', ')}`,
    );
  return [...new Set(given as string[])];
}

function readAffix(fields: Readonly<Record<string, unknown>>, name: 'prefix' | 'suffix'): string {
  const text = fields[name] ?? '';
  if (typeof text !== 'string') throw invalidBodyFault(`${name} must be a string`);
  try {
    checkKey(text);
  } catch (error) {
    throw error instanceof Fault ? invalidBodyFault(`${name} can’t be part of a key`) : error;
  }
  return text;
}

function readSize(
  fields: Readonly<Record<string, unknown>>,
  name: 'minSize' | 'maxSize',
): number | undefined {
  const size = fields[name] ?? undefined;
  if (size === undefined) return undefined;
  if (typeof size !== 'number' || !Number.isSafeInteger(size) || size < 0)
    throw invalidBodyFault(`${name} must be a number of bytes`);
  return size;
}
