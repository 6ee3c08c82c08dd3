/** Answers whose XML is already written, as configurations are. */
import type { HttpResponse } from '../../../platform/web/index.ts';

export function rawXmlResponse(xml: string, headers: Record<string, string> = {}): HttpResponse {
  return { status: 200, headers: { 'content-type': 'application/xml', ...headers }, body: xml };
}
