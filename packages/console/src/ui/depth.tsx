/** A storage class: one hue that sinks, with a gauge. */
import { useTranslations } from '../lib/words.ts';

export const CLASSES = [0, 1, 2, 3] as const;
export type StorageClass = (typeof CLASSES)[number];

export function StorageClassIcon({ type }: { readonly type: StorageClass }) {
  return (
    <svg className="depth" viewBox="0 0 11 13" aria-hidden>
      {CLASSES.map((at) => (
        <rect key={at} y={at * 3.5} width="11" height="2" rx="0.5" className={at === type ? 'active' : ''} />
      ))}
    </svg>
  );
}

export function StorageClassLabel({ type }: { readonly type: StorageClass }) {
  const say = useTranslations('common');
  return (
    <span className="storage-class">
      <StorageClassIcon type={type} />
      {say(`class.${type}`)}
    </span>
  );
}
