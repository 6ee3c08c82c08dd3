/** The triggers, by bucket. */
import type { Trigger } from '@millpond/client/session';
import { useQueryClient } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useClient } from '../../app/session-context.tsx';
import { useTranslations } from '../../lib/words.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { RecordTable } from '../../ui/records/record-table.tsx';

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
  const remove = async () => {
    if (asked !== undefined) await client.processing.removeTrigger(asked.id);
    await queries.invalidateQueries({ queryKey: ['templates'] });
  };
  return (
    <>
      <RecordTable
        label={say('trigger.title')}
        rows={sorted}
        rowKey={({ id }) => id}
        empty={<p className="quiet">{say('trigger.none')}</p>}
        columns={[
          { id: 'bucket', header: say('column.bucket'), kind: 'code' },
          {
            id: 'keys',
            header: say('column.keys'),
            kind: 'code',
            value: keysOf,
            cell: (trigger) => keysOf(trigger) ?? <span className="quiet">{say('trigger.all')}</span>,
          },
          {
            id: 'template',
            header: say('column.template'),
            value: ({ workflow }) => workflow,
            cell: ({ workflow, force }) => (
              <>
                <button type="button" className="link mono" onClick={() => open(workflow)}>
                  {workflow}
                </button>
                {force && <span className="quiet"> {say('trigger.forces')}</span>}
              </>
            ),
          },
          { id: 'notifyURL', header: say('column.notify'), kind: 'code', tone: 'soft', onPhone: 'hidden' },
          {
            id: 'actions',
            header: say('remove.act'),
            kind: 'actions',
            cell: (trigger) => (
              <Button
                kind="ghost"
                icon={<Trash2 className="icon" aria-hidden />}
                aria-label={say('remove.trigger')}
                onClick={() => setAsked(trigger)}
              />
            ),
          },
        ]}
      />
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
