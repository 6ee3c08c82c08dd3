/** Calls of live as curl, the command line and a program make them. */
import { type Curl, useCurl } from '../../lib/curl.ts';
import { type Commands, shellWord } from '../../ui/as-command.tsx';

export interface LiveCommand {
  readonly method?: Curl['method'];
  /** After `/v1`. */
  readonly path: string;
  readonly json?: object | undefined;
  readonly cli?: string | undefined;
  readonly sdk: string;
}

/** Several are shown one after another. */
export function useLiveCommands(): (...commands: readonly LiveCommand[]) => Commands {
  const curl = useCurl();
  return (...commands) => {
    const lines = commands.flatMap(({ cli }) => cli ?? []);
    return {
      curl: commands
        .map(({ path, method, json }) =>
          curl({ role: 'live', target: `/v1${path}`, ...(method && { method }), json }),
        )
        .join('\n'),
      cli: lines.length === 0 ? undefined : lines.join('\n'),
      sdk: commands.map(({ sdk }) => sdk).join('\n'),
    };
  };
}

/** Those of one stream. */
export function streamCommand(ns: string, stream: string) {
  const path = `/namespaces/${encodeURIComponent(ns)}/streams/${encodeURIComponent(stream)}`;
  const sdk = `client.live.streams(${quoted(ns)})`;
  const names = `${shellWord(ns)} ${shellWord(stream)}`;
  return {
    show: {
      path,
      cli: `millpond live streams ${shellWord(ns)}`,
      sdk: `const stream = await ${sdk}.get(${quoted(stream)});`,
    },
    urls: {
      method: 'POST',
      path: `${path}/urls`,
      json: {},
      cli: `millpond live urls ${names}`,
      sdk: `const { publishUrl, playUrls } = await ${sdk}.urls(${quoted(stream)});`,
    },
    stop: {
      method: 'POST',
      path: `${path}/stop`,
      cli: `millpond live stop ${names}`,
      sdk: `await ${sdk}.stop(${quoted(stream)});`,
    },
    key: { method: 'POST', path: `${path}/key`, sdk: `await ${sdk}.changeKey(${quoted(stream)});` },
    disable: { method: 'POST', path: `${path}/disabled`, sdk: `await ${sdk}.disable(${quoted(stream)});` },
    remove: { method: 'DELETE', path, sdk: `await ${sdk}.remove(${quoted(stream)});` },
    snap: { method: 'POST', path: `${path}/snap`, sdk: `await ${sdk}.takeSnapshot(${quoted(stream)});` },
    record: {
      method: 'POST',
      path: `${path}/record/start`,
      sdk: `await ${sdk}.startRecording(${quoted(stream)});`,
    },
    recordings: {
      path: `${path}/recordhistories?sortBy=desc`,
      cli: `millpond live records ${names}`,
      sdk: `for await (const each of ${sdk}.recordings(${quoted(stream)})) console.log(each.file);`,
    },
  } as const satisfies Record<string, LiveCommand>;
}

/** As a string of a program. */
export function quoted(text: string): string {
  return `'${text.replaceAll(/[\\']/g, (each) => `\\${each}`)}'`;
}
