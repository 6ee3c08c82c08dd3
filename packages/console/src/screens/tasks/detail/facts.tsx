/** The facts of a task. */
import type { OwnTaskRecord } from '@millpond/client/session';
import { Link } from '@tanstack/react-router';
import { time } from '../../../lib/format.ts';
import { useTranslations } from '../../../lib/words.ts';
import { Copy } from '../../../ui/copy.tsx';
import { isShared, pipelineName } from '../task-facts.ts';
import { NoticeFact } from './notice.tsx';

export function Facts({ task }: { readonly task: OwnTaskRecord }) {
  const say = useTranslations('tasks');
  return (
    <section aria-label={say('facts.label')}>
      <dl className="key-values">
        <dt>{say('facts.id')}</dt>
        <dd>
          <code className="truncate">{task.id}</code>
          <Copy text={task.id} label={say('copyId')} />
        </dd>
        <dt>{say('facts.pipeline')}</dt>
        <dd>
          {isShared(task.pipeline) ? (
            <span>{say('facts.shared')}</span>
          ) : (
            <Link
              to={'/pipelines/$name' as '/'}
              params={{ name: pipelineName(task.pipeline) } as never}
              search={(was) => ({ account: was.account })}
              className="truncate"
            >
              {task.pipeline}
            </Link>
          )}
        </dd>
        {task.taskFrom !== undefined && (
          <>
            <dt>{say('facts.from')}</dt>
            <dd>
              <Link
                to={'/templates' as '/'}
                search={(was) => ({ account: was.account })}
                className="truncate"
              >
                {task.taskFrom}
              </Link>
            </dd>
          </>
        )}
        <dt>{say('facts.submitted')}</dt>
        <dd className="tabular">{time(task.creationDate)}</dd>
        {task.begun !== undefined && (
          <>
            <dt>{say('facts.begun')}</dt>
            <dd className="tabular">{time(task.begun)}</dd>
          </>
        )}
        {task.finishDate !== undefined && (
          <>
            <dt>{say('facts.ended')}</dt>
            <dd className="tabular">{time(task.finishDate)}</dd>
          </>
        )}
        <dt>{say('facts.attempts')}</dt>
        <dd className="tabular">{task.attempts}</dd>
        {task.worker !== undefined && (
          <>
            <dt>{say('facts.worker')}</dt>
            <dd>
              <code className="truncate">{task.worker}</code>
            </dd>
          </>
        )}
        {task.type === 1 && (
          <>
            <dt>{say('facts.kind')}</dt>
            <dd>{say('facts.idle')}</dd>
          </>
        )}
        <dt>{say('facts.notice')}</dt>
        <dd>
          <NoticeFact task={task} />
        </dd>
        <dt>{say('facts.request')}</dt>
        <dd>
          <Link
            to={'/requests/$reqid' as '/'}
            params={{ reqid: task.reqid } as never}
            search={(was) => ({ account: was.account })}
            className="mono truncate"
          >
            {task.reqid}
          </Link>
          <Copy text={task.reqid} label={say('copyReqid')} />
        </dd>
      </dl>
    </section>
  );
}
