/**
 * How single values of a command are written. `read` returns undefined for an invalid value and never throws; `print`
 * writes a value in its one canonical form, so that `read(print(value))` is that value.
 */
import { encodeBase64, encodeBase64Text, tryDecodeBase64 } from '../base64.ts';
import { decodeUtf8 } from '../utf8.ts';

/** How a form on a screen asks for a value. `encoded` is written by people as a text, and on the wire as its Base64. */
export type ValueShape =
  | { readonly kind: 'integer' | 'decimal'; readonly min: number; readonly max: number }
  | { readonly kind: 'flag' }
  | { readonly kind: 'choice'; readonly words: readonly string[] }
  | { readonly kind: 'encoded'; readonly of: 'text' | 'url' | 'colour' };

export interface ValueSyntax<Value> {
  /** For people: hints and the reference page. */
  readonly form: string;
  /** Absent: it is asked for as it is written. */
  readonly shape?: ValueShape;
  read(text: string): Value | undefined;
  print(value: Value): string;
}

export function integer(min: number, max: number): ValueSyntax<number> {
  return {
    form: `a whole number from ${min} to ${max}`,
    shape: { kind: 'integer', min, max },
    read(text) {
      if (!/^-?[0-9]{1,10}$/.test(text)) return undefined;
      const value = Number(text);
      // -0 would differ from 0 when plans are compared.
      return value >= min && value <= max ? value + 0 : undefined;
    },
    print: String,
  };
}

/** At most three digits after the point: engines count in milliseconds. */
export function decimal(min: number, max: number): ValueSyntax<number> {
  return {
    form: `a number from ${min} to ${max}, at most three decimals`,
    shape: { kind: 'decimal', min, max },
    read(text) {
      if (!/^-?[0-9]{1,10}(?:\.[0-9]{1,3})?$/.test(text)) return undefined;
      const value = Number(text);
      return value >= min && value <= max ? value + 0 : undefined;
    },
    print: String,
  };
}

export const flag: ValueSyntax<boolean> = {
  form: '0 or 1',
  shape: { kind: 'flag' },
  read: (text) => (text === '1' ? true : text === '0' ? false : undefined),
  print: (value) => (value ? '1' : '0'),
};

export function oneOf<const Word extends string>(...words: readonly Word[]): ValueSyntax<Word> {
  return {
    form: words.length === 1 ? `${words[0]}` : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`,
    shape: { kind: 'choice', words },
    read: (text) => words.find((word) => word === text),
    print: (value) => value,
  };
}

/** Words that stand for other words: older spellings of the same thing. */
export function withAliases<Value extends string>(
  form: ValueSyntax<Value>,
  spellings: Readonly<Record<string, Value>>,
): ValueSyntax<Value> {
  return {
    form: `${form.form}; also ${Object.keys(spellings).join(', ')}`,
    ...(form.shape === undefined ? {} : { shape: form.shape }),
    read: (text) => form.read(text) ?? (Object.hasOwn(spellings, text) ? spellings[text] : undefined),
    print: (value) => form.print(value),
  };
}

/** URL-safe Base64 of a text without control characters. */
export function encodedText(maxBytes: number): ValueSyntax<string> {
  return {
    form: `URL-safe Base64 of a text of at most ${maxBytes} bytes`,
    shape: { kind: 'encoded', of: 'text' },
    read: (text) => decodeText(text, maxBytes),
    print: encodeBase64Text,
  };
}

/**
 * URL-safe Base64 of a fixed number of bytes. Plans hold it as hexadecimal text, which compares and prints like any
 * other value.
 */
export function encodedBytes(count: number): ValueSyntax<string> {
  return {
    form: `URL-safe Base64 of ${count} bytes`,
    read(text) {
      const bytes = text.length > 2 * count + 4 ? undefined : tryDecodeBase64(text);
      if (bytes?.length !== count) return undefined;
      return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
    },
    print: (hex) => encodeBase64(bytesOfHex(hex)),
  };
}

function bytesOfHex(hex: string): Uint8Array {
  return Uint8Array.from(hex.match(/../g) ?? [], (digits) => Number.parseInt(digits, 16));
}

export function decodeText(text: string, maxBytes: number): string | undefined {
  if (text.length > 2 * maxBytes) return undefined;
  const bytes = tryDecodeBase64(text);
  if (bytes === undefined || bytes.length === 0 || bytes.length > maxBytes) return undefined;
  const decoded = decodeUtf8(bytes);
  return decoded === undefined || /[\p{Cc}\u2028\u2029]/u.test(decoded) ? undefined : decoded;
}

const MAX_URL_BYTES = 2048;

/** URL-safe Base64 of an http or https URL. The code that fetches it decides whether that host may be read. */
export const encodedUrl: ValueSyntax<string> = {
  form: `URL-safe Base64 of an http or https URL of at most ${MAX_URL_BYTES} bytes`,
  shape: { kind: 'encoded', of: 'url' },
  read(text) {
    const url = decodeText(text, MAX_URL_BYTES);
    if (url === undefined || !/^https?:\/\/[^/?#\s\\]/i.test(url) || /[\s"\\<>]/.test(url)) return undefined;
    return URL.canParse(url) ? url : undefined;
  },
  print: encodeBase64Text,
};
