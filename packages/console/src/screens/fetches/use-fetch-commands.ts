import { encodeBase64Text, formatEntry } from '@millpond/protocol';
import { useCurl } from '../../lib/curl.ts';
import { type Commands, shellWord } from '../../ui/as-command.tsx';
import type { FetchesSearch } from './search.ts';

/** The fetch that is being written, as commands. */
export function useFetchCommands({ url, bucket, key, way }: FetchesSearch): Commands {
  const curl = useCurl();
  const from = url?.trim() || 'https://old.example.com/film.mp4';
  const to = bucket || 'my-bucket';
  const named = key === undefined || key === '' ? undefined : key;
  const cli = `millpond fetch ${shellWord(from)} \\\n  ${shellWord(`:${to}${named === undefined ? '' : `/${named}`}`)}`;
  const sdk = [from, to, ...(named === undefined ? [] : [named])].map((text) => JSON.stringify(text));
  if (way === 'now')
    return {
      curl: curl({
        role: 'io',
        method: 'POST',
        target: `/fetch/${encodeBase64Text(from)}/to/${formatEntry(to, named)}`,
      }),
      cli,
      sdk: `await client.fetches.fetch(${sdk.join(', ')});`,
    };
  const fields = { url: from, bucket: to, ...(named === undefined ? {} : { key: named }) };
  return {
    curl: curl({ role: 'api', method: 'POST', target: '/sisyphus/fetch', json: fields }),
    cli: `${cli} --background`,
    sdk: `const { id } = await client.fetches.start(${JSON.stringify(fields, null, 2)});\nawait client.fetches.status(id);`,
  };
}
