/** The frame of one setting: what it is now and how to change it, beside what it does in words and the same as a command. */
import type { ReactNode } from 'react';
import { useTranslations } from '../../lib/words.ts';
import { type Commands, CommandTabs } from '../../ui/as-command.tsx';
import { BucketFrame } from '../bucket-frame/bucket-frame.tsx';
import styles from './bucket-settings.module.css';

export function Setting({
  bucket,
  title,
  words,
  commands,
  acts,
  children,
}: {
  readonly bucket: string;
  readonly title: string;
  /** What it does, a paragraph each. */
  readonly words: readonly string[];
  readonly commands: Commands;
  /** Beside the title. */
  readonly acts?: ReactNode;
  readonly children: ReactNode;
}) {
  const say = useTranslations('bucket-settings');
  return (
    <BucketFrame bucket={bucket} className={styles.screen}>
      <div className={styles.setting}>
        <section className={styles.settingMain} aria-label={title}>
          <header className="section-head">
            <h2>{title}</h2>
            <span className="end row">{acts}</span>
          </header>
          {children}
        </section>
        <aside className={styles.settingAside} aria-label={say('about')}>
          <h2>{say('about')}</h2>
          {words.map((paragraph) => (
            <p key={paragraph}>{paragraph}</p>
          ))}
          <h2>{say('same')}</h2>
          <CommandTabs commands={commands} />
        </aside>
      </div>
    </BucketFrame>
  );
}
