/** What is known of an object. */
import type { ObjectRecord } from '@millpond/client/session';
import { dateOfPutTime } from '@millpond/protocol';
import { useState } from 'react';
import { bytes, number, time } from '../../../lib/format.ts';
import { useTranslations } from '../../../lib/words.ts';
import { Button } from '../../../ui/button.tsx';
import { Copy } from '../../../ui/copy.tsx';
import { StorageClassLabel } from '../../../ui/depth.tsx';
import { ChangeClass } from './change-class.tsx';
import { ChangeExpiry } from './change-expiry.tsx';
import { ChangeMetadata } from './change-metadata.tsx';
import styles from './detail.module.css';

export function Facts({
  bucket,
  objectKey,
  object,
}: {
  readonly bucket: string;
  readonly objectKey: string;
  readonly object: ObjectRecord;
}) {
  const say = useTranslations('objects');
  const [open, setOpen] = useState<'class' | 'expiry' | 'metadata'>();
  const place = { bucket, objectKey, object, close: () => setOpen(undefined) };
  const metadata = Object.entries(object.metadata);
  return (
    <dl className="key-values">
      <dt>{say('fact.size')}</dt>
      <dd>
        <span className="tabular">{bytes(object.fsize)}</span>
        <span className="quiet tabular text-small">{number(object.fsize)} B</span>
      </dd>
      <dt>{say('fact.type')}</dt>
      <dd>
        <span className="truncate">{object.mimeType}</span>
        <Button kind="link" className="end" onClick={() => setOpen('metadata')}>
          {say('edit')}
        </Button>
      </dd>
      <dt>{say('fact.class')}</dt>
      <dd>
        <StorageClassLabel type={object.type} />
        <Button kind="link" className="end" onClick={() => setOpen('class')}>
          {say('change')}
        </Button>
      </dd>
      <dt>{say('fact.hash')}</dt>
      <dd>
        <code className="truncate">{object.hash}</code>
        <Copy text={object.hash} />
      </dd>
      <dt>{say('fact.at')}</dt>
      <dd>
        <span className="tabular">{time(dateOfPutTime(object.putTime))}</span>
        {object.endUser !== undefined && <span className="quiet text-small truncate">{object.endUser}</span>}
      </dd>
      <dt>{say('fact.expires')}</dt>
      <dd>
        {object.expiration === undefined ? (
          <span className="quiet">{say('never')}</span>
        ) : (
          <span className="tabular">{time(object.expiration * 1000)}</span>
        )}
        <Button kind="link" className="end" onClick={() => setOpen('expiry')}>
          {say('set')}
        </Button>
      </dd>
      {object.status === 1 && (
        <>
          <dt>{say('fact.status')}</dt>
          <dd className="warn">{say('disabledWords')}</dd>
        </>
      )}
      <dt>{say('fact.metadata')}</dt>
      <dd className={styles.pairs}>
        {metadata.length === 0 && <span className="quiet">{say('fact.noMetadata')}</span>}
        {metadata.map(([name, value]) => (
          <code key={name}>{`${name}=${value}`}</code>
        ))}
      </dd>
      {Object.entries(object.responseHeaders).map(([name, value]) => (
        <Header key={name} name={name} value={value} />
      ))}
      {open === 'class' && <ChangeClass {...place} />}
      {open === 'expiry' && <ChangeExpiry {...place} />}
      {open === 'metadata' && <ChangeMetadata {...place} />}
    </dl>
  );
}

function Header({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <>
      <dt className="truncate">{name}</dt>
      <dd>
        <code className="truncate">{value}</code>
      </dd>
    </>
  );
}
