/**
 * Blob ids: UUID v7 in lower case with dashes. The first 48 bits are the time of creation in milliseconds, so the
 * place of a blob in an engine (`<hour>/<id>`, hour as `yyyymmddhh` in UTC) follows from the id alone and no row
 * has to store it. Ids of one hour are one contiguous range in text order, in byte order and in PostgreSQL's uuid
 * order: a folder of the engine can be merged against an index scan.
 *
 * The id of a small blob, whose bytes are committed with the object that names it, is a UUID v8 of the same shape: its version
 * says that the engine has no blob of this name, and eight of its bits say where in the inbox the bytes were put.
 */
import { randomFillSync } from 'node:crypto';

declare const blobIdBrand: unique symbol;

/** Only newBlobId, newSmallBlobId, parseBlobId and the hour bounds make one, so an id can be put into a path or URL as it is. */
export type BlobId = string & { readonly [blobIdBrand]: true };

const HOUR_MS = 3_600_000;
/** First millisecond of the year 10000: from here on an hour would need eleven digits and sort wrongly. */
const END_OF_TIME = 253_402_300_800_000;
const RANDOM_BYTES = 10;
const BLOB_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[78][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
/** Where in the text of an id its version is, and the slot of a small one. */
const VERSION_AT = 14;
const SLOT_AT = 16;
const HOUR = /^(\d{4})(\d\d)(\d\d)(\d\d)$/;

const hexOfByte = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

// One call into the system's generator serves 409 ids.
const randomPool = new Uint8Array(RANDOM_BYTES * 409);
let randomAt = randomPool.length;

function nextByte(): number {
  return randomPool[randomAt++] ?? 0;
}

const hex = (byte: number): string => hexOfByte[byte] ?? '00';

/** `now` in milliseconds since 1970; later ids of the same millisecond are in no particular order. */
export function newBlobId(now: number = Date.now()): BlobId {
  return blobId(now, 0x70, undefined);
}

/** `slot`: 0 to 255. */
export function newSmallBlobId(slot: number, now: number = Date.now()): BlobId {
  return blobId(now, 0x80, slot);
}

/** Whether its bytes are in the inbox or in a pack, and not under this name in the engine. */
export function isSmallBlob(id: BlobId): boolean {
  return id[VERSION_AT] === '8';
}

/** Inbox slot encoded in a small blob's id. */
export function slotOfBlob(id: BlobId): number {
  return Number.parseInt(id.slice(SLOT_AT, SLOT_AT + 2), 16);
}

function blobId(now: number, versionBits: number, slot: number | undefined): BlobId {
  const time = timeDigits(now);
  if (randomAt + RANDOM_BYTES > randomPool.length) {
    randomFillSync(randomPool);
    randomAt = 0;
  }
  const version = hex(versionBits | (nextByte() & 0x0f)) + hex(slot ?? nextByte());
  const variant = hex(0x80 | (nextByte() & 0x3f)) + hex(nextByte());
  const node =
    hex(nextByte()) + hex(nextByte()) + hex(nextByte()) + hex(nextByte()) + hex(nextByte()) + hex(nextByte());
  return `${time}-${version}-${variant}-${node}` as BlobId;
}

/** The id if the text is one in canonical form, undefined otherwise. */
export function parseBlobId(text: string): BlobId | undefined {
  return BLOB_ID.test(text) && timeOf(text) < END_OF_TIME ? (text as BlobId) : undefined;
}

/** Milliseconds since 1970 at which the id was made. */
export function blobTime(id: BlobId): number {
  return timeOf(id);
}

/** The folder of the id: `yyyymmddhh` in UTC. */
export function hourOf(id: BlobId): string {
  return hourText(timeOf(id));
}

/** The hour folder in which an id made at this time (milliseconds) lies. */
export function hourAt(time: number): string {
  timeDigits(time);
  return hourText(time);
}

/** `<hour>/<id>`, the name under which every engine keeps the blob. */
export function engineKey(id: BlobId): string {
  return `${hourText(timeOf(id))}/${id}`;
}

/** The id at the end of an engine key, or undefined if the key is not one of ours (also when the hour disagrees, or the blob is a small one). */
export function parseEngineKey(key: string): BlobId | undefined {
  const id = parseBlobId(key.slice(11));
  return id !== undefined && !isSmallBlob(id) && engineKey(id) === key ? id : undefined;
}

/** Whether the text is an hour folder: ten digits that name an hour that exists. */
export function isHour(text: string): boolean {
  return startOfHour(text) !== undefined;
}

function timeOf(id: string): number {
  return Number.parseInt(id.slice(0, 8), 16) * 65_536 + Number.parseInt(id.slice(9, 13), 16);
}

function timeDigits(time: number): string {
  if (!Number.isInteger(time) || time < 0 || time >= END_OF_TIME) throw new RangeError('time out of range');
  const digits = time.toString(16).padStart(12, '0');
  return `${digits.slice(0, 8)}-${digits.slice(8)}`;
}

// Nearly all ids that a process touches are of the current hour; formatting a date is the most expensive part of a key.
let knownHour = -1;
let knownHourText = '';

function hourText(time: number): string {
  const hour = Math.floor(time / HOUR_MS);
  if (hour !== knownHour) {
    knownHourText = new Date(hour * HOUR_MS).toISOString().slice(0, 13).replace(/[-T]/g, '');
    knownHour = hour;
  }
  return knownHourText;
}

function startOfHour(text: string): number | undefined {
  const match = HOUR.exec(text);
  if (!match) return undefined;
  const start = Date.parse(`${match[1]}-${match[2]}-${match[3]}T${match[4]}:00:00.000Z`);
  // The parser rolls over or refuses a date such as 30 February; hours before 1970 have no id.
  return start >= 0 && hourText(start) === text ? start : undefined;
}
