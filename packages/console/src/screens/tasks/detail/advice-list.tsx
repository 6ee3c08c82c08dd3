/** What helps against a failure, each with the button that does it. */
import type { OwnTaskRecord, TaskItem } from '@millpond/client/session';
import { Link } from '@tanstack/react-router';
import { RotateCw } from 'lucide-react';
import { useTranslations } from '../../../lib/words.ts';
import { Button } from '../../../ui/button.tsx';
import { Failure } from '../../../ui/failure.tsx';
import { ObjectLink } from '../../../ui/object-link.tsx';
import styles from '../tasks.module.css';
import { type AdviceAct, actsOf, adviceFor } from './advice.ts';
import { resultBucket } from './result-bucket.ts';
import { useRerun } from './use-rerun.ts';

export function AdviceList({
  task,
  item,
  at,
}: {
  readonly task: OwnTaskRecord;
  readonly item: TaskItem;
  readonly at: number;
}) {
  const say = useTranslations('tasks');
  const advice = adviceFor(item);
  return (
    <div className={styles.advice}>
      <h3>{say('advice.title')}</h3>
      <p>{say(`advice.${advice}`)}</p>
      <ol>
        {actsOf(advice).map((act, index) => (
          <li key={act}>
            <b className="tabular">{index + 1}</b>
            <Act act={act} task={task} item={item} at={at} isFirst={index === 0} />
          </li>
        ))}
      </ol>
    </div>
  );
}

function Act({
  act,
  task,
  item,
  isFirst,
}: {
  readonly act: AdviceAct;
  readonly task: OwnTaskRecord;
  readonly item: TaskItem;
  readonly at: number;
  readonly isFirst: boolean;
}) {
  const say = useTranslations('tasks');
  const { rerun, isPending, error } = useRerun('inline');
  const look = `button ${isFirst ? 'primary' : ''}`;
  const words = (
    <span>
      {say(`act.${act}`)}
      <span className="quiet text-small">{say(`act.${act}Hint`)}</span>
    </span>
  );
  if (act === 'rerun')
    return (
      <>
        {error === null ? words : <Failure error={error} />}
        <Button
          kind={isFirst ? 'primary' : undefined}
          icon={<RotateCw className="icon" aria-hidden />}
          waits={isPending}
          onClick={() => void rerun(task.id)}
        >
          {say('act.rerunDo')}
        </Button>
      </>
    );
  return (
    <>
      {words}
      {act === 'source' && (
        <ObjectLink bucket={task.inputBucket} name={task.inputKey} className={look}>
          {say('act.sourceDo')}
        </ObjectLink>
      )}
      {act === 'builder' && (
        <Link
          className={look}
          to={'/commands' as '/'}
          search={(was) =>
            ({
              account: was.account,
              bucket: task.inputBucket,
              key: task.inputKey,
              command: item.cmd,
            }) as never
          }
        >
          {say('act.builderDo')}
        </Link>
      )}
      {act === 'bucket' && (
        <Link className={look} to={'/buckets' as '/'} search={(was) => ({ account: was.account })}>
          {resultBucket(task, item)}
        </Link>
      )}
    </>
  );
}
