/** The same as the timeline, as a table. */
import type { OwnTaskRecord } from '@millpond/client/session';
import { clock, milliseconds } from '../../../lib/format.ts';
import { useTranslations } from '../../../lib/words.ts';
import { StatusMark } from '../../../ui/mark.tsx';
import { RecordTable } from '../../../ui/records/record-table.tsx';
import { briefCommand, markOf } from '../task-facts.ts';
import styles from '../tasks.module.css';
import { stageName } from './stage-names.ts';

type Stage = Partial<NonNullable<OwnTaskRecord['items'][number]['stages']>[number]>;

interface StageRow extends Stage {
  readonly item: OwnTaskRecord['items'][number];
  readonly at: number;
  readonly index: number;
}

export function StageTable({ task }: { readonly task: OwnTaskRecord }) {
  const say = useTranslations('tasks');
  const rows = task.items.flatMap((item, at) => {
    const stages: readonly Stage[] = item.stages ?? [];
    return (stages.length === 0 ? [{}] : stages).map(
      (stage, index): StageRow => ({ ...stage, item, at, index }),
    );
  });
  return (
    <div className={styles.stageTable}>
      <RecordTable
        label={say('view.table')}
        frame="scroll"
        rows={rows}
        rowKey={({ at, index }) => `${at}/${index}`}
        columns={[
          {
            id: 'item',
            header: say('table.item'),
            cell: ({ item, at, index }) =>
              index === 0 && (
                <span className="state">
                  <StatusMark state={markOf(item.code)} />
                  {at}
                </span>
              ),
          },
          { id: 'stage', header: say('table.stage'), value: ({ name }) => name && stageName(say, name) },
          {
            id: 'what',
            header: say('table.what'),
            kind: 'code',
            value: ({ name, words, item }) => (name === undefined ? briefCommand(item.cmd) : words),
          },
          { id: 'begun', header: say('table.begun'), kind: 'time', format: clock },
          { id: 'ms', header: say('table.took'), kind: 'number', format: milliseconds },
        ]}
      />
    </div>
  );
}
