/**
 * Session descriptions (SDP) as in GB/T 28181: our offer to receive a channel's live video as a program stream, and a
 * device's answer to it. Unreadable input is a `SipParseError`.
 */
import { isIP } from 'node:net';
import { SipParseError } from './fault.ts';

export type MediaTransport = 'udp' | 'tcp';

export interface MediaOffer {
  readonly serverId: string;
  /** Where to send it. */
  readonly address: string;
  readonly port: number;
  readonly transport: MediaTransport;
  readonly ssrc: string;
}

export interface MediaAnswer {
  /** Where it will come from, as the device states it. */
  readonly address: string;
  readonly port: number;
  readonly transport: MediaTransport;
  readonly payloadType: number;
  /** Undefined: the device names none, so the one it was given holds. */
  readonly ssrc: number | undefined;
}

const PROGRAM_STREAM = 96;
const MAX_BYTES = 8192;
const LINE = /^([a-z])=(.{0,1000})$/;
const CONNECTION = /^IN (?:IP4|IP6) ([0-9A-Fa-f.:]{2,45})$/;
const VIDEO = /^video (\d{1,5})(?:\/\d+)? ((?:TCP\/)?RTP\/AVP) ([\d ]+)$/i;
const RTPMAP = /^rtpmap:(\d{1,3}) ([A-Za-z0-9-]+)\//;
const SSRC = /^\d{10}$/;
const MAX_SSRC = 2 ** 32 - 1;

export function formatOffer({ serverId, address, port, transport, ssrc }: MediaOffer): Buffer {
  const family = isIP(address) === 6 ? 'IP6' : 'IP4';
  const isTcp = transport === 'tcp';
  const lines = [
    'v=0',
    `o=${serverId} 0 0 IN ${family} ${address}`,
    's=Play',
    `c=IN ${family} ${address}`,
    't=0 0',
    `m=video ${port} ${isTcp ? 'TCP/' : ''}RTP/AVP ${PROGRAM_STREAM}`,
    'a=recvonly',
    `a=rtpmap:${PROGRAM_STREAM} PS/90000`,
    // The device connects to us.
    ...(isTcp ? ['a=setup:passive', 'a=connection:new'] : []),
    `y=${ssrc}`,
  ];
  return Buffer.from(`${lines.join('\r\n')}\r\n`, 'latin1');
}

export function parseMediaAnswer(body: Buffer): MediaAnswer {
  if (body.length > MAX_BYTES) throw new SipParseError('longer than a description may be');
  const sdpLines = readLines(body);
  const at = sdpLines.findIndex(({ type, value }) => type === 'm' && VIDEO.test(value));
  const video = VIDEO.exec(sdpLines[at]?.value ?? '');
  if (video === null) throw new SipParseError('the device’s answer has no video');
  const [, port = '', protocol = '', formats = ''] = video;
  if (Number(port) === 0 || Number(port) > 65_535) throw new SipParseError('the device sends no video');
  const connection = mediaLine(sdpLines, at, 'c') ?? sessionLine(sdpLines, 'c') ?? '';
  const address = CONNECTION.exec(connection)?.[1] ?? '';
  if (isIP(address) === 0) throw new SipParseError('the device does not say where it sends from');
  return {
    address,
    port: Number(port),
    transport: protocol.toUpperCase().startsWith('TCP/') ? 'tcp' : 'udp',
    payloadType: programStream(sdpLines, formats),
    ssrc: readSsrc(sdpLines),
  };
}

interface SdpLine {
  readonly type: string;
  readonly value: string;
}

/** Malformed lines are skipped: devices write all sorts of things. */
function readLines(body: Buffer): SdpLine[] {
  return body
    .toString('latin1')
    .split(/\r?\n/)
    .flatMap((line) => {
      const [, type, value] = LINE.exec(line.trimEnd()) ?? [];
      return type === undefined || value === undefined ? [] : [{ type, value: value.trim() }];
    });
}

/** Finds a line in the media section that begins at a line, up to the next one. */
function mediaLine(sdpLines: readonly SdpLine[], at: number, type: string): string | undefined {
  const rest = sdpLines.slice(at + 1);
  const next = rest.findIndex((sdpLine) => sdpLine.type === 'm');
  return rest.slice(0, next < 0 ? rest.length : next).find((sdpLine) => sdpLine.type === type)?.value;
}

/** Finds a line of the session: before all media sections. */
function sessionLine(sdpLines: readonly SdpLine[], type: string): string | undefined {
  const first = sdpLines.findIndex((sdpLine) => sdpLine.type === 'm');
  return sdpLines.slice(0, first).find((sdpLine) => sdpLine.type === type)?.value;
}

/** The payload number of the program stream; a device that names none means what it was offered. */
function programStream(sdpLines: readonly SdpLine[], formats: string): number {
  const listed = formats.split(' ').map(Number);
  const named = sdpLines.flatMap(({ type, value }) => {
    const [, number, encoding = ''] = (type === 'a' && RTPMAP.exec(value)) || [];
    return number === undefined ? [] : [{ number: Number(number), encoding: encoding.toUpperCase() }];
  });
  const found = named.find(({ number, encoding }) => encoding === 'PS' && listed.includes(number));
  if (found !== undefined && found.number <= 127) return found.number;
  if (named.length === 0 && listed.includes(PROGRAM_STREAM)) return PROGRAM_STREAM;
  throw new SipParseError('the device sends no program stream (PS)');
}

function readSsrc(sdpLines: readonly SdpLine[]): number | undefined {
  const value = sdpLines.find(({ type }) => type === 'y')?.value ?? '';
  const number = SSRC.test(value) ? Number(value) : Number.NaN;
  return number <= MAX_SSRC ? number : undefined;
}
