/** Only objects of one storage class. */
import { ChevronDown } from 'lucide-react';
import { useTranslations } from '../../lib/words.ts';
import { CLASSES, type StorageClass } from '../../ui/depth.tsx';
import styles from './objects.module.css';

export function ClassFilter({
  type,
  choose,
}: {
  readonly type: StorageClass | undefined;
  readonly choose: (type: StorageClass | undefined) => void;
}) {
  const say = useTranslations('objects');
  const common = useTranslations('common');
  return (
    <span className={`select ${styles.ofClass}`}>
      <select
        className="input"
        aria-label={say('class.title')}
        value={type ?? ''}
        onChange={({ target }) => choose(CLASSES.find((each) => String(each) === target.value))}
      >
        <option value="">{say('class.any')}</option>
        {CLASSES.map((each) => (
          <option key={each} value={each}>
            {common(`class.${each}`)}
          </option>
        ))}
      </select>
      <ChevronDown className="icon" aria-hidden />
    </span>
  );
}
