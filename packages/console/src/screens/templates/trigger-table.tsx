/** The triggers, by bucket. */
import type { Trigger } from '@millpond/client/session';
import { useQueryClient } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useClient } from '../../app/session-context.tsx';
import { useTranslations } from '../../lib/words.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import styles from './templates.module.css';

export function TriggerTable({
  triggers,
  open,
}: {
  readonly triggers: readonly Trigger[];
  readonly open: (name: string) => void;
}) {
  const say = useTranslations('templates');
  const client = useClient();
  const queries = useQueryClient();
  const [asked, setAsked] = useState<Trigger>();
  const sorted = triggers.toSorted(
    (a, b) => a.bucket.localeCompare(b.bucket) || a.prefix.localeCompare(b.prefix),
  );
  if (triggers.length === 0) return <p className="quiet">{say('trigger.none')}</p>;
  const remove = async () => {
    if (asked !== undefined) await client.processing.removeTrigger(asked.id);
    await queries.invalidateQueries({ queryKey: ['templates'] });
  };
  return (
    <>
      <table className="table">
        <thead>
          <tr>
            <th scope="col">{say('column.bucket')}</th>
            <th scope="col">{say('column.keys')}</th>
            <th scope="col">{say('column.template')}</th>
            <th scope="col" className={styles.notify}>
              {say('column.notify')}
            </th>
            <th scope="col" className="actions">
              <span className="visually-hidden">{say('remove.act')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {sorted.map((trigger) => (
            <tr key={trigger.id}>
              <td className="mono">{trigger.bucket}</td>
              <td className="mono">
                {keysOf(trigger) ?? <span className="quiet">{say('trigger.all')}</span>}
              </td>
              <td>
                <button type="button" className="link mono" onClick={() => open(trigger.workflow)}>
                  {trigger.workflow}
                </button>
                {trigger.force && <span className="quiet"> {say('trigger.forces')}</span>}
              </td>
              <td className={`mono soft ${styles.notify}`} title={trigger.notifyURL}>
                {trigger.notifyURL}
              </td>
              <td className="actions">
                <Button
                  kind="ghost"
                  icon={<Trash2 className="icon" aria-hidden />}
                  aria-label={say('remove.trigger')}
                  onClick={() => setAsked(trigger)}
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <Confirm
        title={say('remove.trigger')}
        act={say('remove.act')}
        isOpen={asked !== undefined}
        close={() => setAsked(undefined)}
        onConfirm={remove}
      >
        <p>{say('remove.triggerWords')}</p>
      </Confirm>
    </>
  );
}

/** `films/*.mov` */
function keysOf({ prefix, suffix }: Trigger): string | undefined {
  return prefix === '' && suffix === '' ? undefined : `${prefix}*${suffix}`;
}
