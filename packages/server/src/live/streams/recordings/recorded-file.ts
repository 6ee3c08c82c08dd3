/**
 * Names of an engine's recordings, as its configuration defines them: `<stream>[-<unix time>]-auto-20261115T080501.flv`.
 * Only the name tells when a recording began; the engine's clock is UTC.
 */
import { parseEngineName, type StreamAddress } from '../engine-name.ts';

export interface RecordedFile extends StreamAddress {
  readonly recordType: 1 | 2;
  readonly startAt: Date;
}

const NAME =
  /^([A-Za-z0-9_-]{1,113}?)(?:-\d{10})?-(auto|demand)-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)\.(?:flv|mp4)$/;

/** Undefined: not a name that one of our engines gives. */
export function parseRecordedFile(file: string): RecordedFile | undefined {
  const match = NAME.exec(file);
  const stream = match && parseEngineName(match[1] ?? '');
  if (!match || !stream) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(3).map(Number);
  const startAt = new Date(Date.UTC(year, month - 1, day, hour, minute, second));
  return { ...stream, recordType: match[2] === 'auto' ? 1 : 2, startAt };
}
