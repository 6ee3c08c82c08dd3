/** Files or a folder for a prefix: by a button, by its letter, or dropped anywhere on the screen. */
import { ChevronDown, Upload as UploadIcon } from 'lucide-react';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { number } from '../lib/format.ts';
import { useShortcuts } from '../lib/shortcuts.ts';
import { useTranslations } from '../lib/words.ts';
import { shellWord } from '../ui/as-command.tsx';
import { Button } from '../ui/button.tsx';
import { Menu } from '../ui/menu.tsx';
import { useMessages } from '../ui/messages.tsx';
import { chosenFiles, droppedFiles, MOST_FILES, type PickedFiles } from './files.ts';
import styles from './tray.module.css';
import { useUploads } from './use-uploads.ts';

export function UploadButton({
  bucket,
  prefix,
  place,
}: {
  readonly bucket: string;
  readonly prefix: string;
  /** What files are dropped on. */
  readonly place: RefObject<HTMLElement | null>;
}) {
  const say = useTranslations('uploads');
  const { uploads } = useUploads();
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const tell = useMessages();
  const add = ({ files: added, isCut, unread }: PickedFiles) => {
    if (added.length > 0) uploads.add(bucket, added);
    const most = number(MOST_FILES);
    const command = `millpond cp -r ./ ${shellWord(`:${bucket}/${prefix}`)}`;
    if (isCut) tell({ words: say('cut', { most, command }), state: 'bad' });
    if (unread.length > 0)
      tell({ words: say('unread', { count: unread.length, name: unread[0] ?? '' }), state: 'bad' });
  };
  useShortcuts({ u: () => files.current?.click() });
  return (
    <>
      <span className="split">
        <Button
          kind="primary"
          icon={<UploadIcon className="icon" aria-hidden />}
          letter="U"
          onClick={() => files.current?.click()}
        >
          {say('upload')}
        </Button>
        <Menu
          label={say('moreWays')}
          icon={<ChevronDown className="icon" aria-hidden />}
          className="button primary"
          items={[
            { words: say('files'), do: () => files.current?.click() },
            { words: say('folder'), do: () => folder.current?.click() },
          ]}
        />
      </span>
      <input
        ref={files}
        type="file"
        multiple
        hidden
        aria-label={say('files')}
        onChange={({ target }) => {
          add(chosenFiles(target.files ?? [], prefix));
          target.value = '';
        }}
      />
      <input
        ref={folder}
        type="file"
        {...{ webkitdirectory: '' }}
        hidden
        aria-label={say('folder')}
        onChange={({ target }) => {
          add(chosenFiles(target.files ?? [], prefix));
          target.value = '';
        }}
      />
      <DropPlace place={place} prefix={prefix} add={add} name={`${bucket}/${prefix}`} />
    </>
  );
}

function DropPlace({
  place,
  prefix,
  name,
  add,
}: {
  readonly place: RefObject<HTMLElement | null>;
  readonly prefix: string;
  readonly name: string;
  readonly add: (found: PickedFiles) => void;
}) {
  const say = useTranslations('uploads');
  const [isOver, setOver] = useState(false);
  const latest = useRef({ add, prefix });
  latest.current = { add, prefix };
  useEffect(() => {
    const element = place.current;
    if (element === null) return undefined;
    const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') === true;
    const over = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setOver(true);
    };
    const leave = (event: DragEvent) => {
      if (!element.contains(event.relatedTarget as Node | null)) setOver(false);
    };
    const drop = (event: DragEvent) => {
      if (!hasFiles(event) || event.dataTransfer === null) return;
      event.preventDefault();
      setOver(false);
      void droppedFiles(event.dataTransfer, latest.current.prefix).then((found) => latest.current.add(found));
    };
    element.addEventListener('dragover', over);
    element.addEventListener('dragleave', leave);
    element.addEventListener('drop', drop);
    return () => {
      element.removeEventListener('dragover', over);
      element.removeEventListener('dragleave', leave);
      element.removeEventListener('drop', drop);
    };
  }, [place]);
  if (!isOver || place.current === null) return null;
  return createPortal(
    <div className={styles.dropHere}>
      <b>{say('dropHere')}</b>
      <span className="soft">{name}</span>
    </div>,
    place.current,
  );
}
