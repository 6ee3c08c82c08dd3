/** The button that opens the palette, for those who don't know its key. */
import { Search } from 'lucide-react';
import { useOpenPalette } from '../app/palette/open.ts';
import { useTranslations } from '../lib/words.ts';

export function Find() {
  const say = useTranslations('common');
  const open = useOpenPalette();
  return (
    <button type="button" className="find" onClick={open}>
      <Search className="icon icon-small" aria-hidden />
      <span>{say('palette.title')}</span>
      <kbd>Ctrl K</kbd>
    </button>
  );
}
