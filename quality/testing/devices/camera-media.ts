/**
 * The other half of a camera for tests: accepts calls, and sends real video, made by ffmpeg as a program stream, as
 * RTP to the requested address. Like the camera itself it knows nothing about the server.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import dgram from 'node:dgram';
import { connect, type Socket } from 'node:net';
import type { Camera, SipCall } from './camera.ts';

export interface CameraCall {
  /** The channel that was called. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly sdp: string;
  /** Where the video is sent. */
  readonly address: string;
  readonly port: number;
  readonly ssrc: number;
  readonly acknowledgements: number;
  readonly isOver: boolean;
  /** The camera ends it; returns the answer's status. */
  hangUp(): Promise<string>;
  /** The call stays up, but nothing is sent any more. */
  stopSending(): void;
}

export interface CameraMediaOptions {
  /** Such as `486 Busy Here`, instead of accepting the call. */
  refusal?: string;
  codec?: 'libx264' | 'libx265';
  /** What happens to a packet on its way. */
  pass?: (packet: Buffer, number: number, send: (packet: Buffer) => void) => void;
  /** How often the answer that accepts a call is sent. */
  answers?: number;
}

export interface CameraMedia {
  /** In the order of arrival, each once. */
  readonly calls: readonly CameraCall[];
  options: CameraMediaOptions;
  close(): void;
}

const PAYLOAD_BYTES = 1300;
/** So that it wraps soon. */
const FIRST_SEQUENCE = 65_500;

export function serveMedia(camera: Camera, options: CameraMediaOptions = {}): CameraMedia {
  const calls = new Map<string, Call>();
  const media: CameraMedia = {
    get calls() {
      return [...calls.values()];
    },
    options,
    close() {
      for (const call of calls.values()) call.stopSending();
    },
  };
  camera.onCall = (request) => {
    const callId = request.headers['call-id'] ?? '';
    const known = calls.get(callId);
    if (request.method === 'INVITE') {
      if (known !== undefined) return;
      if (media.options.refusal !== undefined)
        return request.answer(media.options.refusal, [], '', randomBytes(4).toString('hex'));
      const call = new Call(camera, request, media.options);
      calls.set(callId, call);
      call.take(request);
    } else if (request.method === 'ACK') known?.acknowledge();
    else {
      request.answer(known === undefined || known.isOver ? '481 No Such Call' : '200 OK');
      known?.end();
    }
  };
  return media;
}

class Call implements CameraCall {
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly sdp: string;
  readonly address: string;
  readonly port: number;
  readonly ssrc: number;
  acknowledgements = 0;
  isOver = false;
  readonly #camera: Camera;
  readonly #options: CameraMediaOptions;
  readonly #tag = randomBytes(4).toString('hex');
  #video: ChildProcess | undefined;
  #link: { send(packet: Buffer): void; close(): void } | undefined;

  constructor(camera: Camera, { uri, headers, body }: SipCall, options: CameraMediaOptions) {
    this.#camera = camera;
    this.#options = options;
    this.headers = headers;
    this.sdp = body;
    this.target = /^sip:(\d+)@/.exec(uri)?.[1] ?? '';
    this.address = /^c=IN IP4 (\S+)/m.exec(body)?.[1] ?? '';
    this.port = Number(/^m=video (\d+)/m.exec(body)?.[1]);
    this.ssrc = Number(/^y=(\d{10})/m.exec(body)?.[1]);
  }

  take(request: SipCall): void {
    const isTcp = /^m=video \d+ TCP/m.test(this.sdp);
    const port = 40_000;
    const lines = [
      'v=0',
      `o=${this.target} 0 0 IN IP4 127.0.0.1`,
      's=Play',
      'c=IN IP4 127.0.0.1',
      't=0 0',
      `m=video ${port} ${isTcp ? 'TCP/' : ''}RTP/AVP 96`,
      'a=sendonly',
      'a=rtpmap:96 PS/90000',
      ...(isTcp ? ['a=setup:active'] : []),
      `y=${String(this.ssrc).padStart(10, '0')}`,
    ];
    const headers = [`Contact: <sip:${this.target}@${this.#camera.host()}>`, 'Content-Type: Application/SDP'];
    request.answer('100 Trying');
    for (let count = 0; count < (this.#options.answers ?? 1); count++)
      request.answer('200 OK', headers, `${lines.join('\r\n')}\r\n`, this.#tag);
    this.#link = isTcp ? openTcp(this.address, this.port) : openUdp(this.address, this.port);
  }

  acknowledge(): void {
    this.acknowledgements += 1;
    if (this.acknowledgements > 1 || this.#link === undefined) return;
    const video = startVideo(this.#options.codec ?? 'libx264');
    this.#video = video;
    let number = 0;
    video.stdout?.on('data', (chunk: Buffer) => {
      for (let at = 0; at < chunk.length; at += PAYLOAD_BYTES) {
        const packet = rtpPacket(number, this.ssrc, chunk.subarray(at, at + PAYLOAD_BYTES));
        const send = (bytes: Buffer) => this.#link?.send(bytes);
        if (this.#options.pass === undefined) send(packet);
        else this.#options.pass(packet, number, send);
        number += 1;
      }
    });
  }

  async hangUp(): Promise<string> {
    const { from = '', to = '', 'call-id': callId = '' } = this.headers;
    const head = [
      `BYE ${/<(.*)>/.exec(this.headers.contact ?? '')?.[1]} SIP/2.0`,
      `Via: SIP/2.0/${this.#camera.transport} ${this.#camera.host()};rport;branch=z9hG4bK${randomBytes(6).toString('hex')}`,
      `From: ${to};tag=${this.#tag}`,
      `To: ${from}`,
      `Call-ID: ${callId}`,
      'CSeq: 1 BYE',
      'Max-Forwards: 70',
      'Content-Length: 0',
      '',
      '',
    ];
    this.end();
    for (let tries = 0; tries < 50; tries++) {
      const answers = await this.#camera.raw(Buffer.from(head.join('\r\n'), 'latin1'), 300);
      const status = /^SIP\/2\.0 (\d+)[\s\S]*CSeq: 1 BYE/m.exec(answers.map(String).join('\n'))?.[1];
      if (status !== undefined) return status;
    }
    return '';
  }

  stopSending(): void {
    this.#video?.kill('SIGKILL');
    this.#link?.close();
    this.#link = undefined;
  }

  end(): void {
    this.isOver = true;
    this.stopSending();
  }
}

export function rtpPacket(number: number, ssrc: number, payload: Buffer): Buffer {
  const head = Buffer.alloc(12);
  head.writeUInt8(0x80, 0);
  head.writeUInt8(96, 1);
  head.writeUInt16BE((FIRST_SEQUENCE + number) % 65_536, 2);
  head.writeUInt32BE((Date.now() * 90) % 2 ** 32, 4);
  head.writeUInt32BE(ssrc, 8);
  return Buffer.concat([head, payload]);
}

function startVideo(codec: string): ChildProcess {
  const quiet = codec === 'libx265' ? ['-x265-params', 'log-level=none:keyint=10'] : ['-g', '10'];
  return spawn(
    'ffmpeg',
    [
      '-v',
      'error',
      '-nostdin',
      '-re',
      '-f',
      'lavfi',
      '-i',
      'testsrc=size=160x120:rate=10',
      '-re',
      '-f',
      'lavfi',
      '-i',
      'sine',
      '-c:v',
      codec,
      '-preset',
      'ultrafast',
      '-tune',
      'zerolatency',
      '-pix_fmt',
      'yuv420p',
      ...quiet,
      '-c:a',
      'mp2',
      '-flush_packets',
      '1',
      '-f',
      'mpeg',
      'pipe:1',
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
}

function openUdp(address: string, port: number): { send(packet: Buffer): void; close(): void } {
  const socket = dgram.createSocket('udp4').bind(0, '127.0.0.1');
  let isOpen = true;
  return {
    send(packet) {
      if (isOpen) socket.send(packet, port, address, () => undefined);
    },
    close() {
      isOpen = false;
      socket.close();
    },
  };
}

function openTcp(address: string, port: number): { send(packet: Buffer): void; close(): void } {
  const socket: Socket = connect(port, address).on('error', () => undefined);
  return {
    send(packet) {
      const length = Buffer.alloc(2);
      length.writeUInt16BE(packet.length);
      socket.write(Buffer.concat([length, packet]));
    },
    close: () => socket.destroy(),
  };
}
