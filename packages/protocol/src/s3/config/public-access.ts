/** Public access block: switches that keep a bucket from becoming public by mistake. */
import { childFlag, parseXml } from '../xml/body.ts';
import { writeXml } from '../xml/write.ts';
import { allowOnlyChildren } from './elements.ts';

const SWITCHES = [
  'BlockPublicAcls',
  'IgnorePublicAcls',
  'BlockPublicPolicy',
  'RestrictPublicBuckets',
] as const;

/**
 * There are no ACLs, so the two about them hold anyway. The third refuses policies that would make the bucket public, the
 * fourth takes their effect away.
 */
export type PublicAccessBlock = Readonly<Record<(typeof SWITCHES)[number], boolean>>;

export function readPublicAccessBlock(body: Uint8Array): PublicAccessBlock {
  const root = parseXml(body, 'PublicAccessBlockConfiguration');
  allowOnlyChildren(root, SWITCHES);
  const isOn = (name: (typeof SWITCHES)[number]) => childFlag(root, name) ?? false;
  return {
    BlockPublicAcls: isOn('BlockPublicAcls'),
    IgnorePublicAcls: isOn('IgnorePublicAcls'),
    BlockPublicPolicy: isOn('BlockPublicPolicy'),
    RestrictPublicBuckets: isOn('RestrictPublicBuckets'),
  };
}

export function writePublicAccessBlock(block: PublicAccessBlock): string {
  return writeXml('PublicAccessBlockConfiguration', { ...block });
}
