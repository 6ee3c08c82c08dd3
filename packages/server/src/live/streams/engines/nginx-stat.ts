/** What nginx-rtmp's `/stat` reports: which process it is, and who publishes there now. */
import { type Fields, fieldsOf } from '@millpond/base';
import { XMLParser } from 'fast-xml-parser';

export interface EnginePublisher {
  readonly client: string;
  readonly name: string;
  readonly address: string;
}

/** What comes in for a stream. */
export interface EngineIngest {
  /** Name of the stream at the engine. */
  readonly name: string;
  /** Bits a second, as the engine measured them in the last seconds. */
  readonly bitrate: number;
  readonly video: number;
  readonly audio: number;
  /** As far as the publisher said it. */
  readonly fps?: number | undefined;
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  readonly videoCodec?: string | undefined;
  readonly audioCodec?: string | undefined;
}

export interface EngineState {
  readonly boot: string;
  readonly publishers: readonly EnginePublisher[];
  /** The streams that somebody publishes. */
  readonly ingests: readonly EngineIngest[];
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
  const ingests = streams.filter((stream) => 'publishing' in stream).map(ingestOf);
  return { boot: root.pid, publishers, ingests };
}

function ingestOf(stream: Fields): EngineIngest {
  const meta = fieldsOf(stream.meta);
  const [video, audio] = [fieldsOf(meta.video), fieldsOf(meta.audio)];
  return {
    name: textOf(stream.name),
    bitrate: numberOf(stream.bw_in) ?? 0,
    video: numberOf(stream.bw_video) ?? 0,
    audio: numberOf(stream.bw_audio) ?? 0,
    ...known('fps', numberOf(video.frame_rate)),
    ...known('width', numberOf(video.width)),
    ...known('height', numberOf(video.height)),
    ...known('videoCodec', wordOf(video.codec)),
    ...known('audioCodec', wordOf(audio.codec)),
  };
}

/** What a publisher did not say is 0 or empty. */
function known<Name extends string, Value>(name: Name, value: Value | undefined): { [N in Name]?: Value } {
  return (value === undefined || value === 0 ? {} : { [name]: value }) as { [N in Name]?: Value };
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'string' && /^\d{1,15}(?:\.\d{1,6})?$/.test(value) ? Number(value) : undefined;
}

/** Codec name as reported by the engine, truncated. */
function wordOf(value: unknown): string | undefined {
  const word = textOf(value).slice(0, 40);
  return word === '' ? undefined : word;
}

function items(value: unknown): Fields[] {
  return Array.isArray(value) ? value.map(fieldsOf) : [];
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
