/**
 * What commands ask of the limited key that submits them, besides their source. Where their results go is judged when they are
 * submitted, so what a command decides only as it runs counts as the whole bucket, or the whole account.
 */
import { type Fop, type RequiredPermission, sourcesOf } from '@millpond/protocol';
import { namesPartsItself } from '../part-keys.ts';
import { explicitKey } from '../processing.target.ts';

/** `bucket` is that of the source. */
export function commandPermissions(commands: readonly Fop[], bucket: string): readonly RequiredPermission[] {
  return commands.flatMap((command) => [...readPermissions(command), ...writePermissions(command, bucket)]);
}

/** Further sources are URLs, or are even listed in the source itself: any object of the account could be one. */
function readPermissions({ stages }: Fop): readonly RequiredPermission[] {
  const readsFurther = stages.some((plan) => plan.command === 'mkzip' || sourcesOf(plan).length > 0);
  return readsFurther ? [{ action: 'read' }] : [];
}

/** Results replace what is there. */
function writePermissions(command: Fop, ofSource: string): readonly RequiredPermission[] {
  const bucket = command.saveAs?.entry.bucket ?? ofSource;
  const key = namesPartsItself(command) ? undefined : explicitKey(command);
  return (['write', 'delete'] as const).map((action) => ({ action, bucket, key }));
}
