/** What a command makes of a picture. A command that the server refuses shows as refused. */
import { ImageOff } from 'lucide-react';
import { useState } from 'react';
import { useClient } from '../../../app/session-context.tsx';
import { useTranslations } from '../../../lib/words.ts';
import styles from '../bucket-settings.module.css';

export function StyledPicture({
  bucket,
  picture,
  command,
  name,
  large,
}: {
  readonly bucket: string;
  /** A key; undefined if the bucket has none to show. */
  readonly picture: string | undefined;
  readonly command: string;
  readonly name: string;
  readonly large?: boolean;
}) {
  const say = useTranslations('bucket-settings');
  const client = useClient();
  const [failed, setFailed] = useState<string>();
  if (picture === undefined || command === '') return null;
  const url = client.objectUrl(bucket, picture, command);
  const looks = `${styles.styled} ${large ? styles.large : ''}`;
  if (failed === url)
    return (
      <span className={`${looks} off`}>
        <ImageOff className="icon" aria-hidden />
        <span className={large ? 'quiet' : 'visually-hidden'}>{say('styles.refused')}</span>
      </span>
    );
  return (
    <img
      className={looks}
      src={url}
      alt={say('styles.alt', { name, key: picture })}
      loading="lazy"
      onError={() => setFailed(url)}
    />
  );
}
