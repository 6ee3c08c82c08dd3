/** Copies an id, a key, an address; and says for 900 ms that it did. */
import { Check, CopyIcon } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from '../lib/words.ts';

const SAID_MS = 900;

export function Copy({ text, label }: { readonly text: string; readonly label?: string | undefined }) {
  const say = useTranslations('common');
  const [isSaid, setSaid] = useState(false);
  const copy = async () => {
    await copyText(text);
    setSaid(true);
    setTimeout(() => setSaid(false), SAID_MS);
  };
  return (
    <button
      type="button"
      className="copy"
      aria-label={label ?? say('copy')}
      title={say('copy')}
      onClick={() => void copy()}
    >
      {isSaid ? <Check className="icon" aria-hidden /> : <CopyIcon className="icon" aria-hidden />}
      <output className="visually-hidden">{isSaid ? say('copied') : ''}</output>
    </button>
  );
}

/** Pages without TLS have no clipboard of their own: there the old way does it. */
export async function copyText(text: string): Promise<void> {
  if (navigator.clipboard !== undefined) return navigator.clipboard.writeText(text);
  const area = document.createElement('textarea');
  area.value = text;
  area.className = 'visually-hidden';
  document.body.append(area);
  area.select();
  document.execCommand('copy');
  area.remove();
}
