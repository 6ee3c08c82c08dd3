/**
 * The XML that cameras put into MESSAGE requests (MANSCDP, GB/T 28181): what we read of it and the query that we send. It comes
 * as GB2312, GBK or GB18030, which is a superset of the other two, or as UTF-8 if it says so. Entities are never expanded,
 * depth and size are bounded; unreadable input is a `SipParseError`.
 */
import { XMLParser } from 'fast-xml-parser';
import { SipParseError } from './fault.ts';

export interface CatalogItem {
  readonly gbid: string;
  readonly name: string;
  readonly vendor: string;
  readonly isOn: boolean;
}

/** A part of the answer to a catalog query; all parts carry the query's number. */
export interface CatalogPart {
  readonly command: 'Catalog';
  readonly number: string;
  /** The number of items in all parts together. */
  readonly total: number;
  /** How many items this part holds, including those that are not channels. */
  readonly count: number;
  readonly channels: readonly CatalogItem[];
}

/** Nothing is read of any other message: its arrival is what counts. */
export type DeviceMessage = CatalogPart | { readonly command: 'Keepalive' | 'other' };

const MAX_BYTES = 65_535;
const MAX_DEPTH = 12;
const MAX_ITEMS = 1_000;
/** Parsing time grows faster than the number of tags. */
const MAX_TAGS = 8_000;
/** Channels in one catalog. */
const MAX_CHANNELS = 10_000;
const MAX_TEXT = 255;

const GBID = /^\d{20}$/;
/** The three digits after the civil code and the trade state the type; from 200 on: platforms, groups, organisations. */
const TYPE_AT = 10;
const FIRST_OF_PLATFORMS = '200';
const NUMBER = /^\d{1,10}$/;
const ON = /^(?:ON|OK|ONLINE)$/i;

const gb18030 = new TextDecoder('gb18030');
const utf8 = new TextDecoder('utf-8');
const parser = new XMLParser({
  ignoreAttributes: true,
  ignoreDeclaration: true,
  ignorePiTags: true,
  parseTagValue: false,
  processEntities: false,
  maxNestedTags: MAX_DEPTH,
  isArray: (name) => name === 'Item',
});

type Element = Readonly<Record<string, unknown>>;

export function parseDeviceMessage(body: Buffer): DeviceMessage {
  const root = readRoot(body);
  const command = textOf(root, 'CmdType');
  if (command === '') throw new SipParseError('no command');
  if (command === 'Catalog' && root.SumNum !== undefined) return readCatalog(root);
  return { command: command === 'Keepalive' ? command : 'other' };
}

/** Asks a device for its channels. */
export function catalogQuery(deviceId: string, number: number): Buffer {
  const lines = [
    '<?xml version="1.0" encoding="GB2312"?>',
    '<Query>',
    '<CmdType>Catalog</CmdType>',
    `<SN>${number}</SN>`,
    `<DeviceID>${deviceId}</DeviceID>`,
    '</Query>',
    '',
  ];
  return Buffer.from(lines.join('\r\n'), 'ascii');
}

function readRoot(body: Buffer): Element {
  if (body.length > MAX_BYTES) throw new SipParseError('longer than a message may be');
  const isUtf8 = /encoding\s*=\s*["']utf-?8["']/i.test(body.toString('latin1', 0, 120));
  const text = (isUtf8 ? utf8 : gb18030).decode(body);
  // Definitions make entities and their expansion possible; no device needs one.
  if (text.includes('<!DOCTYPE') || text.includes('<!ENTITY'))
    throw new SipParseError('XML definitions are not accepted');
  if (text.split('<', MAX_TAGS + 2).length > MAX_TAGS + 1)
    throw new SipParseError('more tags than a message may have');
  let document: unknown;
  try {
    document = parser.parse(text);
  } catch (cause) {
    throw new SipParseError('the XML cannot be read', { cause });
  }
  const { Notify, Response } = isElement(document) ? document : {};
  const root = Notify ?? Response;
  if (!isElement(root)) throw new SipParseError('neither a notification nor a response');
  return root;
}

function readCatalog(root: Element): CatalogPart {
  const [number, total] = [textOf(root, 'SN'), textOf(root, 'SumNum')];
  if (!NUMBER.test(number) || !NUMBER.test(total))
    throw new SipParseError('a catalog without its number or sum');
  if (Number(total) > MAX_CHANNELS) throw new SipParseError('a catalog of too many channels');
  const list = root.DeviceList;
  const items = isElement(list) && Array.isArray(list.Item) ? list.Item : [];
  if (items.length > MAX_ITEMS) throw new SipParseError('too many items in one message');
  const channels = items.flatMap((item) => (isElement(item) ? readItem(item) : []));
  return { command: 'Catalog', number, total: Number(total), count: items.length, channels };
}

/** Platforms also list the tree that their cameras belong to; its nodes are not channels. */
function readItem(item: Element): CatalogItem[] {
  const gbid = textOf(item, 'DeviceID');
  if (!GBID.test(gbid) || gbid.slice(TYPE_AT, TYPE_AT + 3) >= FIRST_OF_PLATFORMS) return [];
  const status = textOf(item, 'Status');
  return [
    {
      gbid,
      name: textOf(item, 'Name'),
      vendor: textOf(item, 'Manufacturer'),
      // A channel that is listed without a state counts as on.
      isOn: status === '' || ON.test(status),
    },
  ];
}

function isElement(value: unknown): value is Element {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const PREDEFINED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** The text of a child, without characters that a text column cannot hold; the empty text if there is none. */
function textOf(element: Element, name: string): string {
  const value = Object.hasOwn(element, name) ? element[name] : undefined;
  if (typeof value !== 'string') return '';
  return value
    .replace(/&(amp|lt|gt|quot|apos);/g, (_whole, entity: string) => PREDEFINED[entity] ?? '')
    .replaceAll('\0', '')
    .trim()
    .slice(0, MAX_TEXT)
    .toWellFormed();
}
