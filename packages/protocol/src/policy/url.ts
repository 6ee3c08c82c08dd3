/** The addresses in an upload policy. This checks only that each is one http(s) URL, not who may be called. */
import { encodeBase64Text } from '../base64.ts';
import { invalidPolicy } from './refuse.ts';

const MAX_CALLBACK_URLS = 5;

/** Browsers and URL parsers drop tabs and line breaks silently, so the raw text is checked first. */
export function checkHttpUrl(name: string, text: string): void {
  const plain = !/[\p{Cc}\s\\]/u.test(text) && /^https?:\/\/[^/?#]/i.test(text);
  if (!plain || !URL.canParse(text)) throw invalidPolicy(`${name} must be an http or https URL`);
}

/** Several URLs are joined by `;`; a `;` that is not followed by a scheme belongs to its URL. */
export function splitUrls(text: string): readonly string[] {
  return text.split(/;(?=https?:\/\/)/i);
}

export function splitCallbackUrls(text: string): readonly string[] {
  const urls = splitUrls(text);
  if (urls.length > MAX_CALLBACK_URLS)
    throw invalidPolicy(`callbackUrl names more than ${MAX_CALLBACK_URLS} URLs`);
  for (const url of urls) checkHttpUrl('callbackUrl', url);
  return urls;
}

/** The Location of the 303 after an upload: the answer goes into the query, before any fragment. */
export function formatReturnLocation(returnUrl: string, answer: string): string {
  const url = new URL(returnUrl);
  const result = `upload_ret=${encodeBase64Text(answer)}`;
  url.search = url.search === '' ? result : `${url.search}&${result}`;
  return url.href;
}
