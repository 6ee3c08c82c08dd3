/** One upload: how far, why not, and the answers that it waits for. */
import { MillpondError } from '@millpond/client/session';
import { useRef, useState } from 'react';
import { bytes, durationText } from '../lib/format.ts';
import { useTranslations } from '../lib/words.ts';
import { Button } from '../ui/button.tsx';
import { type MarkState, StatusMark } from '../ui/mark.tsx';
import styles from './tray.module.css';
import type { Upload, UploadState } from './upload.ts';
import type { Uploads } from './uploads.ts';

const MARKS: Readonly<Record<UploadState, MarkState>> = {
  waiting: 'wait',
  sending: 'busy',
  paused: 'off',
  done: 'ok',
  exists: 'bad',
  failed: 'bad',
  fileless: 'wait',
};

export function TrayLine({ upload, uploads }: { readonly upload: Upload; readonly uploads: Uploads }) {
  const say = useTranslations('uploads');
  const { id, state, size, sent } = upload;
  const share = size === 0 ? 1 : sent / size;
  const [isOther, setOther] = useState(false);
  const isOpen = state !== 'done' && state !== 'exists';
  return (
    <li>
      <StatusMark state={MARKS[state]} label={say(`state.${state}`)} />
      <span className="truncate" title={`${upload.bucket}/${upload.key}`}>
        {upload.name}
      </span>
      <span className={`tabular quiet ${styles.size}`}>{bytes(size)}</span>
      <span className={styles.meterCell}>
        {isOpen && (
          <span className={`meter ${state === 'sending' ? '' : 'off'}`}>
            <i style={{ width: `${Math.round(share * 100)}%` }} />
          </span>
        )}
      </span>
      <span className={`tabular ${styles.percent}`}>{isOpen && `${Math.round(share * 100)} %`}</span>
      <span className={`truncate soft ${styles.reason}`}>
        {isOther ? say('otherFile') : wordsOf(upload, say)}
      </span>
      <span className={styles.actions}>
        {state === 'sending' && (
          <Button kind="link" onClick={() => uploads.pause(id)}>
            {say('pause')}
          </Button>
        )}
        {(state === 'paused' || state === 'failed') && (
          <Button kind="link" onClick={() => uploads.resume(id)}>
            {say(state === 'failed' ? 'again' : 'resume')}
          </Button>
        )}
        {state === 'exists' && (
          <>
            <Button kind="link" onClick={() => uploads.replace(id)}>
              {say('replace')}
            </Button>
            <Button kind="link" onClick={() => uploads.keepBoth(id)}>
              {say('keepBoth')}
            </Button>
          </>
        )}
        {state === 'fileless' && <ChooseFile onFile={(file) => setOther(!uploads.choose(id, file))} />}
        <Button kind="link" onClick={() => uploads.remove(id)}>
          {say('remove')}
        </Button>
      </span>
    </li>
  );
}

function ChooseFile({ onFile }: { readonly onFile: (file: File) => void }) {
  const say = useTranslations('uploads');
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button kind="link" onClick={() => input.current?.click()}>
        {say('chooseFile')}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={say('chooseFile')}
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          if (file !== undefined) onFile(file);
          target.value = '';
        }}
      />
    </>
  );
}

function wordsOf(upload: Upload, say: ReturnType<typeof useTranslations<'uploads'>>): string {
  const { state, size, sent, speed, resumed, error, bucket, key } = upload;
  switch (state) {
    case 'sending': {
      const parts = [
        ...(speed > 0
          ? [
              say('speed', { speed: bytes(speed) }),
              say('left', { time: durationText(((size - sent) / speed) * 1000) }),
            ]
          : []),
        ...(resumed === undefined ? [] : [say('resumed', { bytes: bytes(resumed) })]),
      ];
      return parts.join(', ');
    }
    case 'exists':
      return say('exists', { key });
    case 'failed':
      return error instanceof MillpondError && error.status > 0
        ? `${error.status} ${error.message}`
        : error instanceof Error
          ? error.message
          : String(error);
    case 'fileless':
      return say('fileless', { sent: bytes(sent) });
    case 'waiting':
    case 'paused':
      return say(`words.${state}`);
    case 'done':
      return `${bucket}/${key}`;
  }
}
