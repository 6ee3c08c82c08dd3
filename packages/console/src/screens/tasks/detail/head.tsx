/** What became of the task, in one line, and where it came from, in a sentence. */
import type { OwnTaskRecord } from '@millpond/client/session';
import { Link } from '@tanstack/react-router';
import { useSession } from '../../../app/session-context.tsx';
import { milliseconds, percent, shortTime, time } from '../../../lib/format.ts';
import { type Say, useTranslations } from '../../../lib/words.ts';
import { StatusMark } from '../../../ui/mark.tsx';
import { ObjectLink } from '../../../ui/object-link.tsx';
import { Sentence } from '../../../ui/sentence.tsx';
import { WaitsFor } from '../../../ui/waits-for.tsx';
import { isOver, markOf, pipelineName, plainError, stateOf, tookMs } from '../task-facts.ts';
import styles from '../tasks.module.css';
import { NoticeState } from './notice.tsx';

export function Head({ task }: { readonly task: OwnTaskRecord }) {
  const say = useTranslations('tasks');
  const { serverNow } = useSession();
  const state = stateOf(task.code);
  const took = tookMs(task, serverNow());
  const done = task.items.filter(({ code }) => code === 0).length;
  return (
    <header className={styles.taskHead}>
      <div className="row">
        <span className={`state strong ${state === 'failed' ? 'bad' : ''}`}>
          <StatusMark state={markOf(task.code)} />
          {say(`state.${state}`)}
        </span>
        <h2>
          {task.waitingFor === undefined ? headline(task, say) : <WaitsFor waitingFor={task.waitingFor} />}
        </h2>
      </div>
      <p className="soft">
        <Sentence
          text={say(task.taskFrom === undefined ? 'head.source' : 'head.sourceFrom')}
          parts={{
            source: (
              <ObjectLink bucket={task.inputBucket} name={task.inputKey} className="mono">
                {task.inputBucket}:{task.inputKey}
              </ObjectLink>
            ),
            pipeline: (
              <Link to="/tasks" search={(was) => ({ account: was.account, pipeline: task.pipeline })}>
                {pipelineName(task.pipeline)}
              </Link>
            ),
            time: <time title={time(task.creationDate)}>{shortTime(task.creationDate, serverNow())}</time>,
            from: (
              <Link to={'/templates' as '/'} search={(was) => ({ account: was.account })}>
                {task.taskFrom}
              </Link>
            ),
          }}
        />{' '}
        {isOver(task) && took !== undefined && (
          <>{say('head.took', { time: milliseconds(took), count: task.attempts })} </>
        )}
        {state === 'failed' && done > 0 && <>{say('head.rest', { count: done, of: task.items.length })} </>}
        <NoticeState task={task} />
      </p>
      {state === 'processing' && (
        <div className="meter" aria-hidden>
          <i style={{ width: `${task.percent}%` }} />
        </div>
      )}
    </header>
  );
}

function headline({ items, code, percent: share }: OwnTaskRecord, say: Say<'tasks'>): string {
  const failed = items.flatMap((item, at) => (item.code === 3 ? [{ item, at }] : []));
  const [first] = failed;
  if (code === 0) return say('head.done', { count: items.length });
  if (code === 1) return say('head.waiting', { count: items.length });
  if (code === 2) {
    const at = items.findIndex((item) => item.code === 2);
    return say('head.running', { item: Math.max(0, at) + 1, of: items.length, share: percent(share / 100) });
  }
  if (first === undefined) return '';
  if (failed.every(({ item }) => item.error === 'cancelled')) return say('head.cancelled');
  if (failed.length > 1)
    return say('head.failedSeveral', {
      count: failed.length,
      of: items.length,
      words: plainError(first.item),
    });
  return say('head.failed', { item: first.at, words: plainError(first.item) });
}
