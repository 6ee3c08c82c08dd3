/** The list as a call, as a command and in a program; unfolded by its letter. */
import { useState } from 'react';
import { useCurl } from '../../lib/curl.ts';
import { useShortcuts } from '../../lib/shortcuts.ts';
import { useTranslations } from '../../lib/words.ts';
import { CommandTabs, shellWord } from '../../ui/as-command.tsx';
import { Button } from '../../ui/button.tsx';
import detailStyles from './detail/detail.module.css';
import styles from './objects.module.css';
import { markerBefore } from './start.ts';

interface Place {
  readonly bucket: string;
  readonly prefix: string;
  readonly begins: string;
  readonly start: string;
}

export function useListCommands({ bucket, prefix, begins, start }: Place) {
  const say = useTranslations('objects');
  const curl = useCurl();
  const [isShown, setShown] = useState(false);
  useShortcuts({ '.': () => setShown(!isShown) });
  const marker = start === '' ? undefined : markerBefore(prefix + start);
  const listed = { prefix: prefix + begins, delimiter: '/', ...(marker === undefined ? {} : { marker }) };
  const button = (
    <Button kind="link" className="desktop-only" aria-expanded={isShown} onClick={() => setShown(!isShown)}>
      {say('asCommand')}
    </Button>
  );
  const commands = isShown && (
    <div className={`${styles.same} ${detailStyles.same}`}>
      <CommandTabs
        commands={{
          curl: curl({ role: 'rsf', target: `/v2/list?${new URLSearchParams({ bucket, ...listed })}` }),
          // It lists from the top only.
          cli: marker === undefined ? `millpond ls ${shellWord(`:${bucket}/${prefix}${begins}`)}` : undefined,
          sdk: `for await (const { item, dir } of client.objects.list('${bucket}', ${JSON.stringify(listed)}))\n  console.log(item?.key ?? dir);`,
        }}
      />
    </div>
  );
  return { button, commands };
}
