/** The command in words. */
import { useTranslations } from '../../lib/words.ts';
import styles from './commands.module.css';
import { explainStage, inOneLine } from './explain.ts';

export function Explained({ command }: { readonly command: string }) {
  const say = useTranslations('commands');
  const stages = command.split(';').flatMap((fop) => fop.split('|'));
  const phrases = stages.map((stage) => explainStage(stage, say));
  if (phrases.every((each) => each.length === 0)) return null;
  return (
    <section>
      <h2>{say('explained')}</h2>
      <ol className={styles.explained}>
        {phrases.map((each, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: stages are numbered
          <li key={at}>
            <span className="quiet tabular">{at}</span>
            <span>{inOneLine(each)}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}
