import type { TrashedObject } from '@millpond/client/session';
import { useSession } from '../../app/session-context.tsx';
import { bytes, durationText, shortTime, time } from '../../lib/format.ts';
import { useTranslations } from '../../lib/words.ts';
import { Button } from '../../ui/button.tsx';
import { StorageClassLabel } from '../../ui/depth.tsx';
import { kindPicture } from '../objects/kinds.tsx';
import styles from './trash.module.css';

export function TrashTable({
  items,
  chosen,
  toggle,
  undelete,
}: {
  readonly items: readonly TrashedObject[];
  readonly chosen: ReadonlySet<string>;
  readonly toggle: (id: string) => void;
  readonly undelete: (id: string) => void;
}) {
  const say = useTranslations('trash');
  const { serverNow } = useSession();
  const now = serverNow();
  return (
    <div className="inset">
      <table className="table">
        <thead>
          <tr>
            <th className={styles.checkColumn}>
              <span className="visually-hidden">{say('chosen')}</span>
            </th>
            <th>{say('key')}</th>
            <th className={`numeric ${styles.sizeColumn}`}>{say('size')}</th>
            <th className={`${styles.classColumn} desktop-only`}>{say('class')}</th>
            <th className={`${styles.reasonColumn} desktop-only`}>{say('why')}</th>
            <th className={`${styles.atColumn} desktop-only`}>{say('deleted')}</th>
            <th className={styles.untilColumn}>{say('until')}</th>
            <th className={`${styles.actsColumn} desktop-only`}>
              <span className="visually-hidden">{say('undelete')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {items.map((item) => (
            <tr key={item.id} aria-selected={chosen.has(item.id)}>
              <td>
                <input
                  type="checkbox"
                  className="check"
                  aria-label={say('choose', { key: item.key })}
                  checked={chosen.has(item.id)}
                  onChange={() => toggle(item.id)}
                />
              </td>
              <td title={item.key}>
                <span className={styles.nameCell}>
                  {kindPicture(item.key, item.mimeType)}
                  <span className="truncate">{item.key}</span>
                </span>
              </td>
              <td className="numeric">{bytes(item.fsize)}</td>
              <td className="desktop-only soft">
                <StorageClassLabel type={item.type} />
              </td>
              <td className="desktop-only soft">{say(`reason.${item.reason}`)}</td>
              <td className="desktop-only soft tabular" title={time(item.deleted)}>
                {shortTime(item.deleted)}
              </td>
              <td className="soft tabular" title={time(item.until)}>
                {durationText(Date.parse(item.until) - now)}
              </td>
              <td className="actions desktop-only">
                <Button kind="link" onClick={() => undelete(item.id)}>
                  {say('undelete')}
                </Button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
