/** What to enter in a camera's menu, so that it registers. */
import type { DeviceRecord } from '@millpond/client/session';
import { useSession } from '../../app/session-context.tsx';
import { useTranslations } from '../../lib/words.ts';
import { Copy } from '../../ui/copy.tsx';
import styles from './devices.module.css';

export function MenuValues({ device }: { readonly device?: Pick<DeviceRecord, 'gbId' | 'username'> }) {
  const say = useTranslations('devices');
  const { sip } = useSession();
  if (sip === undefined) return <p className="note warn">{say('menu.closed')}</p>;
  // The settings may name all addresses of the machine: which of them devices reach, only its operator knows.
  const isAnywhere = /^(?:0\.0\.0\.0|\[::\]):/.test(sip.host);
  const values = [
    ['host', isAnywhere ? `${location.hostname}${sip.host.slice(sip.host.lastIndexOf(':'))}` : sip.host],
    ['serverId', sip.serverId],
    ['domain', sip.domain],
    ...(device === undefined
      ? []
      : [['gbId', device.gbId] as const, ['username', device.username || device.gbId] as const]),
  ] as const;
  return (
    <section className={styles.menuValues} aria-labelledby="menu">
      <h2 id="menu">{say('menu')}</h2>
      <p className="soft">{say('menu.words')}</p>
      <dl className="key-values">
        {values.map(([name, value]) => (
          <div key={name}>
            <dt>{say(`menu.${name}`)}</dt>
            <dd>
              <code className="truncate">{value}</code>
              <Copy text={value} label={say('menu.copy', { name: say(`menu.${name}`) })} />
            </dd>
          </div>
        ))}
        <dt>{say('menu.password')}</dt>
        <dd className="quiet">{say('menu.passwordWords')}</dd>
      </dl>
    </section>
  );
}
