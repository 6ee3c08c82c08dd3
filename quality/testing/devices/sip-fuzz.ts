/** SIP messages that are nearly correct: what a broken camera sends, and what an attacker sends. */
import type { SipServer } from './camera.ts';

/** 0 to 1. */
type Chance = () => number;

const PIECES = [
  '\r\n',
  '\r\n\r\n',
  '\r',
  '\n',
  '\0',
  ':',
  ',',
  ';',
  '=',
  '"',
  '<',
  '>',
  ' ',
  '\t',
  '%00',
  '\\',
  'SIP/2.0',
  'Content-Length: 999999\r\n',
  'Content-Length: -1\r\n',
  'l: 0\r\n',
  'Via: SIP/2.0/UDP x\r\n',
  'CSeq: 99999999999 REGISTER\r\n',
  'Digest ',
  'nc=00000001',
  'expires=0',
  '<!DOCTYPE a [<!ENTITY b "bbbb">]>',
  '&b;',
  '<![CDATA[',
  ']]>',
  '<Item>',
  '</Item>',
  '<SumNum>4294967295</SumNum>',
  '34020000001320000001',
  'ÿ'.repeat(50),
  'A'.repeat(3000),
];

/** One message, made from a correct one by a few changes; now and then only noise. `gbid`: of this device, else of any. */
export function fuzzedSip(chance: Chance, server: SipServer, gbid?: string): Buffer {
  const whole = (below: number) => Math.floor(chance() * below);
  const pick = <T>(all: readonly [T, ...T[]]): T => all[whole(all.length)] ?? all[0];
  if (chance() < 0.05) return Buffer.from(Array.from({ length: whole(600) }, () => whole(256)));
  let bytes = Buffer.from(rightMessage(whole, pick, server, gbid), 'latin1');
  for (let changes = 1 + whole(6); changes > 0; changes--) {
    const [at, length] = [whole(bytes.length), whole(pick([2, 10, 80]))];
    const piece = Buffer.from(pick(PIECES as [string, ...string[]]), 'latin1');
    const [before, after] = [bytes.subarray(0, at), bytes.subarray(at + length)];
    const kind = whole(4);
    if (kind === 0) bytes = Buffer.concat([before, piece, bytes.subarray(at)]);
    else if (kind === 1) bytes = Buffer.concat([before, after]);
    else if (kind === 2) bytes = Buffer.concat([before, Buffer.from([whole(256)]), bytes.subarray(at + 1)]);
    else bytes = Buffer.concat([before, bytes.subarray(at, at + length), bytes.subarray(at)]);
  }
  return bytes.subarray(0, 60_000);
}

function rightMessage(
  whole: (below: number) => number,
  pick: <T>(all: readonly [T, ...T[]]) => T,
  { serverId, realm }: SipServer,
  gbid = `3402000000132${String(whole(1000)).padStart(7, '0')}`,
): string {
  const method = pick(['REGISTER', 'REGISTER', 'MESSAGE', 'NOTIFY', 'OPTIONS', 'INVITE', 'ACK', 'SUBSCRIBE']);
  const channel = `<Item><DeviceID>${gbid}</DeviceID><Name>x</Name><Status>ON</Status></Item>`;
  const body = pick([
    '',
    `<?xml version="1.0"?>\r\n<Notify><CmdType>Keepalive</CmdType><SN>1</SN><DeviceID>${gbid}</DeviceID></Notify>`,
    `<Response><CmdType>Catalog</CmdType><SN>${whole(99)}</SN><DeviceID>${gbid}</DeviceID><SumNum>9</SumNum><DeviceList Num="1">${channel}</DeviceList></Response>`,
  ]);
  const digest =
    `Digest username="${gbid}", realm="${realm}", nonce="${whole(1e9).toString(36)}.1.${'0'.repeat(32)}", ` +
    `uri="sip:${serverId}@${realm}", response="${'a'.repeat(32)}", qop=auth, nc=0000000${whole(10)}, cnonce="c"`;
  return [
    whole(20) === 0 ? 'SIP/2.0 200 OK' : `${method} sip:${serverId}@${realm} SIP/2.0`,
    `Via: SIP/2.0/UDP 192.168.1.${whole(256)}:5060;rport;branch=z9hG4bK${whole(1e9)}`,
    `From: <sip:${gbid}@${realm}>;tag=${whole(1e9)}`,
    `To: <sip:${method === 'REGISTER' ? gbid : serverId}@${realm}>`,
    `Call-ID: ${whole(1e9)}`,
    `CSeq: ${whole(1000)} ${method}`,
    `Contact: <sip:${gbid}@192.168.1.1:5060>;expires=${whole(5000)}`,
    ...(whole(2) === 0 ? [`Authorization: ${digest}`] : []),
    `Content-Length: ${body.length}`,
    '',
    body,
  ].join('\r\n');
}
