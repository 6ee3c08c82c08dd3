/** What can be done with one object. */
import type { ObjectRecord } from '@millpond/client/session';
import { Link, useNavigate } from '@tanstack/react-router';
import { Boxes, Copy, CornerDownRight, Download, Ellipsis, Link2, Snowflake, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useClient } from '../../../app/session-context.tsx';
import { useTranslations } from '../../../lib/words.ts';
import { Button } from '../../../ui/button.tsx';
import { copyText } from '../../../ui/copy.tsx';
import { Menu } from '../../../ui/menu.tsx';
import { useMessages } from '../../../ui/messages.tsx';
import { objectAddress, splitKey } from '../address.ts';
import { DeleteObject } from './delete-object.tsx';
import { isReadable } from './readable.ts';
import { Relocate } from './relocate.tsx';
import { RestoreObject } from './restore-object.tsx';

export function ObjectActions({
  bucket,
  objectKey,
  object,
  close,
}: {
  readonly bucket: string;
  readonly objectKey: string;
  readonly object: ObjectRecord;
  /** Closes the panel. */
  readonly close: () => void;
}) {
  const say = useTranslations('objects');
  const client = useClient();
  const tell = useMessages();
  const navigate = useNavigate();
  const [open, setOpen] = useState<'move' | 'copy' | 'delete' | 'restore'>();
  const name = splitKey(objectKey).name || 'object';
  const place = { bucket, objectKey, close: () => setOpen(undefined) };
  const copyLink = async () => {
    const { url } = await client.signing.downloadUrl(bucket, objectKey, { expires: 86_400 });
    await copyText(url);
    tell({ words: say('linkCopied') });
  };
  const refused = (error: unknown) => tell({ words: String(error), state: 'bad' });
  const icon = 'icon';
  return (
    <div className="row actions">
      {isReadable(object) ? (
        <a
          className="button primary"
          href={client.objectUrl(bucket, objectKey, `attname=${encodeURIComponent(name)}`)}
          download={name}
        >
          <Download className={icon} aria-hidden />
          {say('act.download')}
        </a>
      ) : (
        <Button
          kind="primary"
          icon={<Snowflake className={icon} aria-hidden />}
          disabled={object.restoreStatus === 1}
          onClick={() => setOpen('restore')}
        >
          {say('act.restore')}
        </Button>
      )}
      <Button icon={<Link2 className={icon} aria-hidden />} onClick={() => void copyLink().catch(refused)}>
        {say('act.link')}
      </Button>
      {isReadable(object) && (
        <Link
          className="button"
          to="/commands"
          search={({ account }) => ({ account, bucket, key: objectKey })}
        >
          <Boxes className={icon} aria-hidden />
          {say('act.process')}
        </Link>
      )}
      <Menu
        label={say('act.more')}
        icon={<Ellipsis className={icon} aria-hidden />}
        items={[
          {
            words: say('act.moveOne'),
            icon: <CornerDownRight className={icon} aria-hidden />,
            do: () => setOpen('move'),
          },
          { words: say('act.copy'), icon: <Copy className={icon} aria-hidden />, do: () => setOpen('copy') },
          {
            words: say('act.delete'),
            icon: <Trash2 className={icon} aria-hidden />,
            danger: true,
            do: () => setOpen('delete'),
          },
        ]}
      />
      {(open === 'move' || open === 'copy') && (
        <Relocate
          {...place}
          way={open}
          moved={(to) => void navigate({ ...objectAddress(to.bucket, to.key), replace: true })}
        />
      )}
      {open === 'delete' && <DeleteObject {...place} deleted={close} />}
      {open === 'restore' && <RestoreObject {...place} type={object.type} />}
    </div>
  );
}
