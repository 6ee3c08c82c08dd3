/** The last output of the engine that failed, as it said it; what looks like the reason is marked. */
import type { TaskItem } from '@millpond/client/session';
import { useTranslations } from '../../../lib/words.ts';
import { Copy } from '../../../ui/copy.tsx';
import styles from '../tasks.module.css';

const REASON =
  /error|invalid|not found|failed|cannot|could not|unsupported|corrupt|no such|refused|unable|missing/i;

export function EngineWords({ item }: { readonly item: TaskItem }) {
  const say = useTranslations('tasks');
  const text = item.words ?? item.error;
  const lines = text.split('\n');
  return (
    <div>
      <h3>{say(item.words === undefined ? 'words.server' : 'words.engine')}</h3>
      <div className="code">
        <div className="code-head">
          <span className={`quiet ${styles.lead}`}>
            {item.words === undefined ? say('words.none') : say('words.lines', { count: lines.length })}
          </span>
          <Copy text={text} />
        </div>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so a keyboard must reach it */}
        <pre className="wrap" tabIndex={0}>
          {lines.map((line, at) => {
            const isReason = at === lines.length - 1 || REASON.test(line);
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: lines never change
              <span key={at} className={isReason ? styles.highlight : ''}>
                <span className={isReason ? styles.codeError : styles.codeComment}>{line}</span>
                {!isReason && '\n'}
              </span>
            );
          })}
        </pre>
      </div>
    </div>
  );
}
