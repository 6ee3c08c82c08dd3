/** A trigger as one would make it by command. */
import { shellWord } from '../ui/as-command.tsx';

export interface TriggerWords {
  readonly bucket: string;
  readonly workflow: string;
  readonly prefix?: string | undefined;
  readonly suffix?: string | undefined;
  readonly force?: boolean | undefined;
  readonly notifyURL?: string | undefined;
}

export function triggerCommand({ bucket, workflow, prefix, suffix, force, notifyURL }: TriggerWords): string {
  const given = { workflow, prefix, suffix, notify: notifyURL };
  const options = Object.entries(given).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [` \\\n  --${name} ${shellWord(value)}`],
  );
  const forced = force ? ' \\\n  --force' : '';
  return `millpond trigger add ${shellWord(`:${bucket}`)}${options.join('')}${forced}`;
}
