/** Every step that the record tells, oldest first. */
import type { OwnTaskRecord } from '@millpond/client/session';
import { clock } from '../../../lib/format.ts';
import { type Say, useTranslations } from '../../../lib/words.ts';
import { plainError } from '../task-facts.ts';
import styles from '../tasks.module.css';

interface Step {
  readonly at: string;
  readonly words: string;
  readonly detail?: string;
  readonly isBad?: boolean;
}

export function Trace({ task }: { readonly task: OwnTaskRecord }) {
  const say = useTranslations('tasks');
  const steps = stepsOf(task, say);
  return (
    <section className={styles.trace} aria-label={say('trace.title')}>
      <div className="section-head">
        <h2>{say('trace.title')}</h2>
        <span className="quiet text-small">{say('trace.hint')}</span>
      </div>
      <ol>
        {steps.map(({ at, words, detail, isBad }) => (
          <li key={`${at}${words}`}>
            <span className="tabular quiet">{clock(at)}</span>
            <span className="truncate" title={detail}>
              <span className={isBad ? 'bad' : ''}>{words}</span>
              {detail !== undefined && <span className="quiet"> {detail}</span>}
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}

function stepsOf(task: OwnTaskRecord, say: Say<'tasks'>): readonly Step[] {
  const items = task.items.flatMap((item, at): Step[] => [
    ...(item.begun === undefined ? [] : [{ at: item.begun, words: say('trace.itemBegun', { item: at }) }]),
    ...(item.ended === undefined
      ? []
      : [
          item.code === 3
            ? {
                at: item.ended,
                words: say('trace.itemFailed', { item: at }),
                detail: plainError(item),
                isBad: true,
              }
            : {
                at: item.ended,
                words: say('trace.itemDone', { item: at }),
                ...(item.key === undefined ? {} : { detail: item.key }),
              },
        ]),
  ]);
  const whole: Step[] = [
    {
      at: task.creationDate,
      words:
        task.taskFrom === undefined
          ? say('trace.submitted')
          : say('trace.submittedFrom', { from: task.taskFrom }),
    },
    ...(task.begun === undefined
      ? []
      : [
          {
            at: task.begun,
            words: say('trace.begun'),
            ...(task.worker === undefined ? {} : { detail: task.worker }),
          },
        ]),
  ];
  const end: Step[] =
    task.finishDate === undefined
      ? []
      : [
          {
            at: task.finishDate,
            words: say(task.code === 0 ? 'trace.done' : 'trace.failed'),
            isBad: task.code === 3,
          },
        ];
  // Stable: what has the same time stays in the order in which it must have happened.
  return [...[...whole, ...items].sort((a, b) => Date.parse(a.at) - Date.parse(b.at)), ...end];
}
