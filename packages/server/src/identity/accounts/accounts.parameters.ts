/**
 * Form and query parameters of account and token calls, with the errors that this API defines for them. Values have bounded
 * length and contain no NUL, which database text can't hold.
 */
import { Fault, FORM_TYPE } from '@millpond/protocol';
import { formFields, queryFields, type RequestContext, timeOf } from '../../platform/web/index.ts';

const MAX_CHARACTERS = 4096;
/** Only its hash is looked up: of whatever length and characters, it is a token that is not ours. */
const HASHED = 'refresh_token';

export class Parameters {
  readonly #values: URLSearchParams;

  constructor(values: URLSearchParams) {
    this.#values = values;
    for (const [name, value] of this.#values) {
      if (name !== HASHED && (value.length > MAX_CHARACTERS || value.includes('\0')))
        throw new Fault('badRequest', {
          hint: `a value may have at most ${MAX_CHARACTERS} characters and no NUL`,
        });
    }
  }

  /** Present and not empty. */
  required(name: string): string {
    const value = this.#values.get(name);
    if (value === null) throw new Fault('missingParameter', { hint: name });
    if (value === '') throw new Fault('emptyParameter', { hint: name });
    return value;
  }

  optional(name: string): string | undefined {
    return this.#values.get(name) ?? undefined;
  }

  /** A decimal number within these bounds, or the default if absent. */
  integer(name: string, bounds: { least: number; most: number; fallback: number }): number {
    const text = this.#values.get(name);
    if (text === null) return bounds.fallback;
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    if (!(value >= bounds.least && value <= bounds.most)) {
      throw new Fault('badRequest', {
        hint: `${name} must be a whole number from ${bounds.least} to ${bounds.most}`,
      });
    }
    return value;
  }

  time(name: string): Date | undefined {
    const text = this.#values.get(name);
    const time = text === null ? undefined : timeOf(text);
    if (text !== null && time === undefined)
      throw new Fault('badRequest', {
        hint: `${name} must be a time such as 2026-11-15T08:00:00Z, or unix seconds`,
      });
    return time;
  }
}

export function formOf(context: RequestContext): Parameters {
  const type = (context.header('content-type') ?? '').split(';')[0]?.trim().toLowerCase();
  if (type !== FORM_TYPE) throw new Fault('badRequest', { hint: `the Content-Type must be ${FORM_TYPE}` });
  return new Parameters(formFields(context, 'badRequest'));
}

export function queryOf(context: RequestContext): Parameters {
  return new Parameters(queryFields(context, 'badRequest'));
}
