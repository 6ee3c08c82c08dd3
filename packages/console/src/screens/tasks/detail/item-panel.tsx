/** One item: its pipe of commands, and if it failed, what the engine said and what helps. */
import type { OwnTaskRecord } from '@millpond/client/session';
import { Link } from '@tanstack/react-router';
import { useTranslations } from '../../../lib/words.ts';
import { Copy } from '../../../ui/copy.tsx';
import { StatusMark } from '../../../ui/mark.tsx';
import styles from '../tasks.module.css';
import { AdviceList } from './advice-list.tsx';
import { EngineWords } from './engine-words.tsx';
import { Pipe } from './pipe.tsx';

export function ItemPanel({ task, at }: { readonly task: OwnTaskRecord; readonly at: number }) {
  const say = useTranslations('tasks');
  const item = task.items[at];
  if (item === undefined) return null;
  const stages = item.cmd.split('|').length;
  return (
    <section className={styles.item} aria-label={say('item.title', { item: at })}>
      <div className="section-head">
        <h2>{say('item.title', { item: at })}</h2>
        <span className="quiet text-small truncate">
          {say('item.pipe', { count: stages })}
          {item.errorIndex !== undefined && <code> errorIndex {item.errorIndex}</code>}
        </span>
        <span className="end row">
          <Copy text={item.cmd} label={say('item.copy')} />
          <Link
            className="link"
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
            {say('item.builder')}
          </Link>
        </span>
      </div>
      <Pipe item={item} />
      {item.warnings !== undefined && <ItemWarnings warnings={item.warnings} />}
      {item.code === 3 && (
        <div className={styles.twoColumns}>
          <EngineWords item={item} />
          <AdviceList task={task} item={item} at={at} />
        </div>
      )}
    </section>
  );
}

/** What to know about a result, in the server's own words: tracks that its format cannot hold, for instance. */
function ItemWarnings({ warnings }: { readonly warnings: readonly string[] }) {
  const say = useTranslations('tasks');
  return (
    <div className="note warn">
      <StatusMark state="warn" />
      <div className="grow">
        <b className="weight-medium">{say('item.warnings', { count: warnings.length })}</b>
        {warnings.map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
      </div>
    </div>
  );
}
