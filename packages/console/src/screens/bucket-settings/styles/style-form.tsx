/** One style as a form, with the picture it makes. */
import { useDeferredValue, useState } from 'react';
import { useTranslations } from '../../../lib/words.ts';
import { TextField } from '../../../ui/field.tsx';
import { RuleDialog } from '../rule-dialog.tsx';
import { StyledPicture } from './styled-picture.tsx';

interface Style {
  readonly name: string;
  readonly command: string;
}

export function StyleForm({
  bucket,
  style: before,
  picture,
  close,
  save,
}: {
  readonly bucket: string;
  /** Undefined for a new one. */
  readonly style: Style | undefined;
  readonly picture: string | undefined;
  readonly close: () => void;
  readonly save: (style: Style) => Promise<unknown>;
}) {
  const say = useTranslations('bucket-settings');
  const [style, setStyle] = useState<Style>(before ?? { name: '', command: 'imageView2/2/w/400' });
  const [tried, setTried] = useState(style.command);
  const shown = useDeferredValue(tried);
  return (
    <RuleDialog
      title={before === undefined ? say('styles.new') : say('styles.rule', { name: before.name })}
      close={close}
      save={() => save(style)}
    >
      <TextField
        label={say('styles.name')}
        value={style.name}
        onChange={(event) => setStyle({ ...style, name: event.target.value })}
        readOnly={before !== undefined}
        required
      />
      <TextField
        label={say('styles.command')}
        hint={say('styles.commandHint')}
        className="input large mono"
        value={style.command}
        onChange={(event) => setStyle({ ...style, command: event.target.value })}
        onBlur={() => setTried(style.command)}
        required
      />
      {picture === undefined ? (
        <p className="quiet">{say('styles.noPicture')}</p>
      ) : (
        <StyledPicture large bucket={bucket} picture={picture} command={shown} name={style.name} />
      )}
    </RuleDialog>
  );
}
