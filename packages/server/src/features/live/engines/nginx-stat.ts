/** What nginx-rtmp's `/stat` reports: which process it is, and who publishes there now. */
import { XMLParser } from 'fast-xml-parser';
import { type Fields, fieldsOf } from '../../../platform/json.ts';

export interface EnginePublisher {
  readonly client: string;
  readonly name: string;
  readonly address: string;
}

export interface EngineState {
  readonly boot: string;
  readonly publishers: readonly EnginePublisher[];
}

const parser = new XMLParser({
  // Names that look like numbers stay as written.
  parseTagValue: false,
  isArray: (name) => ['application', 'server', 'stream', 'client'].includes(name),
});

/** Throws if it isn't such a page: an engine in an unknown state must not look like one without publishers. */
export function readNginxStat(xml: string, application: string): EngineState {
  const root = fieldsOf(fieldsOf(parser.parse(xml)).rtmp);
  if (typeof root.pid !== 'string' || !/^\d{1,20}$/.test(root.pid)) throw new Error('/stat names no process');
  const streams = items(root.server)
    .flatMap((server) => items(server.application))
    .filter(({ name }) => name === application)
    .flatMap((found) => items(fieldsOf(found.live).stream));
  const publishers = streams.flatMap((stream) =>
    items(stream.client)
      .filter((client) => 'publishing' in client)
      .map((client) => ({
        client: textOf(client.id),
        name: textOf(stream.name),
        address: textOf(client.address),
      })),
  );
  return { boot: root.pid, publishers };
}

function items(value: unknown): Fields[] {
  return Array.isArray(value) ? value.map(fieldsOf) : [];
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
