/** Answers whose XML is already written, as configurations are. */
import type { Answer } from '../../../platform/web/index.ts';

export function writtenAnswer(xml: string, headers: Record<string, string> = {}): Answer {
  return { status: 200, headers: { 'content-type': 'application/xml', ...headers }, body: xml };
}
