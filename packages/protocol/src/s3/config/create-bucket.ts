/** The optional body of CreateBucket. */
import { childText, parseXml } from '../xml/body.ts';
import type { XmlElement } from '../xml/read.ts';
import { allowOnlyChildren, notImplemented, onlyChild } from './elements.ts';

export interface NewBucket {
  /** The region that was asked for. */
  readonly location?: string;
  /** The element with `Tag` elements, if there is one. */
  readonly tags?: XmlElement;
}

/** Empty bodies are common, and so is an empty element. */
export function readCreateBucket(body: Uint8Array): NewBucket {
  if (body.length === 0) return {};
  const root = parseXml(body, 'CreateBucketConfiguration');
  allowOnlyChildren(root, ['LocationConstraint', 'Tags', 'Bucket', 'Location']);
  for (const name of ['Bucket', 'Location']) {
    if (onlyChild(root, name) !== undefined) throw notImplemented('directory buckets are not supported');
  }
  const location = childText(root, 'LocationConstraint')?.trim();
  const tags = onlyChild(root, 'Tags');
  return {
    ...(location !== undefined && location !== '' && { location }),
    ...(tags !== undefined && { tags }),
  };
}
