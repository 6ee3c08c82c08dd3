/** Puts values into a template: one pass, each value encoded for its place, nothing expanded twice. */
import { Fault } from '../errors/fault.ts';
import { utf8Length } from '../utf8.ts';
import type { Template, TemplateVariablePart } from './parse.ts';

type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;
interface JsonObject {
  readonly [name: string]: JsonValue;
}
export type TemplateValue = JsonValue | bigint;
/** By variable name; custom variables under `x:<name>`. Anything absent, undefined or null has no value. */
export type TemplateValues = Readonly<Record<string, TemplateValue | undefined>>;

/** A short template can repeat a long value, so the output is limited as well. */
export const MAX_RENDERED_BYTES = 64 * 1024;

export function renderTemplate(
  template: Template,
  values: TemplateValues,
  maxBytes = MAX_RENDERED_BYTES,
): string {
  let text = '';
  let bytes = 0;
  for (const part of template.parts) {
    const piece = typeof part === 'string' ? part : renderVariable(template, part, values);
    bytes += utf8Length(piece);
    if (bytes > maxBytes) {
      throw new Fault('tooLarge', { hint: `a template produces more than ${maxBytes} bytes` });
    }
    text += piece;
  }
  return text;
}

function renderVariable(template: Template, part: TemplateVariablePart, values: TemplateValues): string {
  const value = part.available ? valueAt(values, part.path) : undefined;
  switch (template.encoding) {
    case 'json':
      return part.quoted ? JSON.stringify(textOf(value)).slice(1, -1) : jsonOf(value);
    case 'form':
      return encodeFormText(textOf(value));
    case 'command':
      return encodeCommandText(textOf(value));
    case 'plain':
      return textOf(value);
  }
}

/** Own properties only: `$(imageInfo.constructor)` must not reach into the language. Arrays have no sub-fields. */
function valueAt(values: TemplateValues, path: readonly string[]): TemplateValue | undefined {
  let value: unknown = values;
  for (const step of path) {
    if (typeof value !== 'object' || value === null || Array.isArray(value) || !Object.hasOwn(value, step)) {
      return undefined;
    }
    value = (value as Record<string, unknown>)[step];
  }
  return value as TemplateValue | undefined;
}

function jsonOf(value: TemplateValue | undefined): string {
  return typeof value === 'bigint' ? value.toString() : JSON.stringify(value ?? null);
}

function textOf(value: TemplateValue | undefined): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Form encoding: everything but letters, digits and `-_.~` is escaped, a space is `+`. */
export function encodeFormText(text: string): string {
  return percentEncode(text).replaceAll('%20', '+');
}

/** No `;`, `|` or `/` gets through, or a file name could add a processing command. `=` stays, for Base64. */
function encodeCommandText(text: string): string {
  return percentEncode(text).replaceAll('%3D', '=');
}

function percentEncode(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
