/** The same as the timeline, as a table. */
import type { OwnTaskRecord } from '@millpond/client/session';
import { clock, milliseconds } from '../../../lib/format.ts';
import { useTranslations } from '../../../lib/words.ts';
import { StatusMark } from '../../../ui/mark.tsx';
import { briefCommand, markOf } from '../task-facts.ts';
import styles from '../tasks.module.css';
import { stageName } from './stage-names.ts';

export function StageTable({ task }: { readonly task: OwnTaskRecord }) {
  const say = useTranslations('tasks');
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so a keyboard must reach it
    <section className={`${styles.stageTable} inset`} tabIndex={0} aria-label={say('view.table')}>
      <table className="table">
        <thead>
          <tr>
            <th scope="col">{say('table.item')}</th>
            <th scope="col">{say('table.stage')}</th>
            <th scope="col">{say('table.what')}</th>
            <th scope="col">{say('table.begun')}</th>
            <th scope="col" className="numeric">
              {say('table.took')}
            </th>
          </tr>
        </thead>
        <tbody>
          {task.items.flatMap((item, at) => {
            const stages = item.stages ?? [];
            const shown = stages.length === 0 ? [undefined] : stages;
            return shown.map((stage, index) => (
              <tr
                // biome-ignore lint/suspicious/noArrayIndexKey: items are numbered
                key={`${at}/${stage?.begun ?? ''}${stage?.name ?? ''}${index}`}
              >
                <td>
                  {index === 0 && (
                    <span className="state">
                      <StatusMark state={markOf(item.code)} />
                      {at}
                    </span>
                  )}
                </td>
                <td>{stage === undefined ? '' : stageName(say, stage.name)}</td>
                <td className="mono">{stage === undefined ? briefCommand(item.cmd) : (stage.words ?? '')}</td>
                <td className="tabular">{stage === undefined ? '' : clock(stage.begun)}</td>
                <td className="numeric">{stage === undefined ? '' : milliseconds(stage.ms)}</td>
              </tr>
            ));
          })}
        </tbody>
      </table>
    </section>
  );
}
