/** Where one is, what names begin with, and the way to put something here. */
import { Link } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { Fragment, type ReactNode, type RefObject, useEffect, useState } from 'react';
import { useTranslations } from '../../lib/words.ts';
import { Copy } from '../../ui/copy.tsx';
import { folderAddress, foldersOf } from './address.ts';
import styles from './objects.module.css';

const TYPED_MS = 250;

export function PathBar({
  bucket,
  prefix,
  begins,
  onBegins,
  field,
  children,
}: {
  readonly bucket: string;
  readonly prefix: string;
  readonly begins: string;
  readonly onBegins: (begins: string) => void;
  readonly field: RefObject<HTMLInputElement | null>;
  readonly children?: ReactNode;
}) {
  const say = useTranslations('objects');
  const folders = foldersOf(prefix);
  return (
    <div className={styles.tools}>
      <nav className={styles.path} aria-label={say('path')}>
        <Folder bucket={bucket} prefix="" name={bucket} isLast={folders.length === 0} />
        {folders.map((folder, at) => (
          <Fragment key={folder.prefix}>
            <span>/</span>
            <Folder bucket={bucket} {...folder} isLast={at === folders.length - 1} />
          </Fragment>
        ))}
        <span>/</span>
        <Copy text={`${bucket}/${prefix}`} label={say('copyPath')} />
      </nav>
      <Begins key={`${bucket}/${prefix}`} begins={begins} onBegins={onBegins} field={field} />
      {children}
    </div>
  );
}

function Folder({
  bucket,
  prefix,
  name,
  isLast,
}: {
  readonly bucket: string;
  readonly prefix: string;
  readonly name: string;
  readonly isLast: boolean;
}) {
  const say = useTranslations('objects');
  const shown = name === '' ? <i className="quiet">{say('noName')}</i> : name;
  if (isLast)
    return (
      <b className="truncate" aria-current="page">
        {shown}
      </b>
    );
  return (
    <Link {...folderAddress(bucket, prefix)} search={({ account }) => ({ account })} className="truncate">
      {shown}
    </Link>
  );
}

/** Asks the server once one stops typing. */
function Begins({
  begins,
  onBegins,
  field,
}: Pick<Parameters<typeof PathBar>[0], 'begins' | 'onBegins' | 'field'>) {
  const say = useTranslations('objects');
  const [text, setText] = useState(begins);
  useEffect(() => setText(begins), [begins]);
  useEffect(() => {
    if (text === begins) return undefined;
    const timer = setTimeout(() => onBegins(text), TYPED_MS);
    return () => clearTimeout(timer);
  }, [text, begins, onBegins]);
  return (
    <label className={`input ${styles.filter}`}>
      <Search className="icon" aria-hidden />
      <input
        ref={field}
        value={text}
        placeholder={say('begins')}
        aria-label={say('begins')}
        onChange={({ target }) => setText(target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') {
            event.preventDefault();
            setText('');
            event.currentTarget.blur();
          }
        }}
      />
      <kbd className="desktop-only">/</kbd>
    </label>
  );
}
