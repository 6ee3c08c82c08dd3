/** The rows of the list: virtual, as long as the account has tasks. J and K move, Enter opens the cause. */
import type { OwnTaskRecord } from '@millpond/client/session';
import { Link } from '@tanstack/react-router';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';
import { useSession } from '../../app/session-context.tsx';
import { milliseconds, percent, shortTime, time } from '../../lib/format.ts';
import { useShortcuts } from '../../lib/shortcuts.ts';
import { useTranslations } from '../../lib/words.ts';
import { StatusMark } from '../../ui/mark.tsx';
import { briefCommand, causeOf, firstItem, markOf, pipelineName, stateOf, tookMs } from './task-facts.ts';
import styles from './tasks.module.css';

const ROW_PX = 46;
const PHONE_ROW_PX = 64;
const COLUMNS = ['state', 'source', 'work', 'pipeline', 'submitted', 'took'] as const;

/** A table of HTML can't have rows that are placed one by one. */
const GROUP = { role: 'rowgroup' };
const HEAD = { role: 'columnheader' };
const CELL = { role: 'cell' };

function tableProps(label: string, count: number, isBusy: boolean) {
  return { role: 'table', 'aria-label': label, 'aria-rowcount': count, 'aria-busy': isBusy };
}

function rowProps(index: number) {
  return { role: 'row', 'aria-rowindex': index };
}

export function TaskRows({
  tasks,
  isReading,
  hasMore,
  more,
}: {
  readonly tasks: readonly OwnTaskRecord[];
  readonly isReading: boolean;
  readonly hasMore: boolean;
  readonly more: () => void;
}) {
  const say = useTranslations('tasks');
  const scroll = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: tasks.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => (matchMedia('(max-width: 640px)').matches ? PHONE_ROW_PX : ROW_PX),
    overscan: 12,
  });
  const shown = rows.getVirtualItems();
  const last = shown.at(-1)?.index ?? 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `more` is made anew with every picture
  useEffect(() => {
    if (hasMore && last >= tasks.length - 20) more();
  }, [last, tasks.length, hasMore]);
  const move = (by: number) => {
    const links = [...(scroll.current?.querySelectorAll<HTMLAnchorElement>('[role=row] a') ?? [])];
    const at = links.indexOf(document.activeElement as HTMLAnchorElement);
    links[Math.max(0, Math.min(links.length - 1, at + by))]?.focus();
  };
  useShortcuts({ j: () => move(1), k: () => move(-1) });
  return (
    <div className="scroll" ref={scroll}>
      <div {...tableProps(say('title'), hasMore ? -1 : tasks.length + 1, isReading)}>
        <div {...rowProps(1)} className={`${styles.taskRow} ${styles.head}`}>
          {COLUMNS.map((column) => (
            <span key={column} {...HEAD} className={styles[`${column}Cell`]}>
              {say(`column.${column}`)}
            </span>
          ))}
        </div>
        <div {...GROUP} style={{ height: rows.getTotalSize(), position: 'relative' }}>
          {shown.map(({ index, start, size }) => {
            const task = tasks[index];
            return task === undefined ? null : (
              <TaskRow key={task.id} task={task} index={index} top={start} height={size} />
            );
          })}
        </div>
        {isReading && <Skeletons />}
      </div>
    </div>
  );
}

function TaskRow({
  task,
  index,
  top,
  height,
}: {
  readonly task: OwnTaskRecord;
  readonly index: number;
  readonly top: number;
  readonly height: number;
}) {
  const say = useTranslations('tasks');
  const { serverNow } = useSession();
  const state = stateOf(task.code);
  const cause = causeOf(task);
  const took = tookMs(task, serverNow());
  const [first] = task.items;
  return (
    <div {...rowProps(index + 2)} className={`${styles.taskRow} ${state}`} style={{ top, height }}>
      <span {...CELL} className={`${styles.stateCell} state`}>
        <StatusMark state={markOf(task.code)} />
        <span className={state === 'failed' ? 'bad' : ''}>{say(`state.${state}`)}</span>
        {state === 'processing' && <span className="tabular quiet">{percent(task.percent / 100)}</span>}
      </span>
      <span {...CELL} className={styles.sourceCell}>
        <Link
          to="/tasks/$id"
          params={{ id: task.id }}
          search={(was) => ({ account: was.account, item: firstItem(task) })}
          className="mono truncate"
          title={`${task.inputBucket}:${task.inputKey}`}
        >
          {task.inputKey}
        </Link>
        {cause === undefined ? (
          <span className="truncate quiet text-small">{task.inputBucket}</span>
        ) : (
          <span className="truncate text-small bad" title={cause}>
            {cause}
          </span>
        )}
      </span>
      <span {...CELL} className={styles.workCell}>
        <code className="truncate">{briefCommand(first?.cmd ?? '')}</code>
        <span className="truncate quiet text-small">{say('list.items', { count: task.items.length })}</span>
        {state === 'processing' && (
          <span className="meter">
            <i style={{ width: `${task.percent}%` }} />
          </span>
        )}
      </span>
      <span {...CELL} className={`${styles.pipelineCell} truncate soft`}>
        {pipelineName(task.pipeline)}
      </span>
      <span {...CELL} className={`${styles.submittedCell} tabular soft`} title={time(task.creationDate)}>
        {shortTime(task.creationDate, serverNow())}
      </span>
      <span {...CELL} className={`${styles.tookCell} tabular soft`}>
        {took === undefined ? '' : milliseconds(took)}
      </span>
    </div>
  );
}

function Skeletons() {
  return [68, 54, 61, 47].map((width) => (
    <div key={width} className={`${styles.taskRow} ${styles.skeleton}`} aria-hidden>
      <span className="skeleton" style={{ width: 60 }} />
      <span className="skeleton" style={{ width: `${width}%` }} />
    </div>
  ));
}
