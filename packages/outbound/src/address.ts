/**
 * Judges addresses after parsing, so that the way an address is written makes no difference. Everything that is not on the
 * public internet is denied, unless a CIDR setting opens it; our own listeners stay denied whatever is opened.
 */
import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';
import { type DenialReason, deniedRanges, embeddings, GLOBAL_UNICAST, type Ip } from './ranges.ts';

/** An address, or a name, and port where we listen; `0.0.0.0` and `::` stand for every address of the machine. */
export interface ListenAddress {
  readonly address: string;
  readonly port: number;
}

export interface AddressGuard {
  /** Why connections there are denied, or undefined if they are allowed. Anything that is not an address is denied. */
  denial(address: string, port: number): DenialReason | undefined;
  /** Names of our own listeners at this port: what they resolve to is denied as well. */
  ownNames(port: number): readonly string[];
}

export interface AddressGuardOptions {
  /** CIDRs, or single addresses, to open. */
  readonly allow?: readonly string[] | undefined;
  /** Called at each connection, because listeners open after the client is created. */
  readonly ownListeners?: (() => readonly ListenAddress[]) | undefined;
}

type Cidr = readonly [Ip, number];

const rows = deniedRanges.map((row) => ({ ...row, cidr: ipaddr.parseCIDR(row.range) }));
const globalUnicast = ipaddr.parseCIDR(GLOBAL_UNICAST);

/** Throws a TypeError that names the faulty entry. */
export function createAddressGuard(options: AddressGuardOptions = {}): AddressGuard {
  const allow = (options.allow ?? []).map(parseAllowed);
  return {
    ownNames: (port) =>
      (options.ownListeners?.() ?? [])
        .filter((listener) => listener.port === port && isIP(listener.address) === 0)
        .map(({ address }) => address),
    denial(text, port) {
      const address = parseAddress(text);
      if (address === undefined) return 'notAnAddress';
      const listeners = options.ownListeners?.() ?? [];
      if (listeners.some((listener) => listener.port === port && listensOn(listener, address)))
        return 'ownListener';
      return denialReason(address, allow);
    },
  };
}

/** A CIDR setting. Bits after the prefix must be zero: 10.1.2.3/8 does not mean what it says. */
export function parseAllowed(text: string): Cidr {
  const [, host = '', bits] = /^([0-9a-fA-F.:]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const family = isIP(host);
  const length = bits === undefined ? (family === 4 ? 32 : 128) : Number(bits);
  if (family === 0 || length > (family === 4 ? 32 : 128))
    throw new TypeError(`not an address or CIDR: ${JSON.stringify(text)}`);
  const address = ipaddr.parse(host);
  if (address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress())
    throw new TypeError(`write ${JSON.stringify(text)} as IPv4`);
  const kind = family === 4 ? ipaddr.IPv4 : ipaddr.IPv6;
  if (kind.networkAddressFromCIDR(`${host}/${length}`).toString() !== address.toString())
    throw new TypeError(`${JSON.stringify(text)} has bits set after its prefix`);
  return [address, length];
}

/** The address; IPv4-mapped ones as plain IPv4; zone ids make no difference. */
function parseAddress(text: string): Ip | undefined {
  if (isIP(text) === 0) return undefined;
  // ipaddr.js reads ::1.2.3.4 as ::ffff:1.2.3.4, another address; with hexadecimal it cannot.
  const hexadecimal = text.includes(':') && text.includes('.') ? withoutDots(text) : text;
  return hexadecimal === undefined ? undefined : ipaddr.process(hexadecimal);
}

function withoutDots(text: string): string | undefined {
  return URL.parse(`http://[${text.replace(/%.*$/, '')}]/`)?.hostname.slice(1, -1);
}

/** Whether both are the same address, however they are written. */
export function sameAddress(one: string, other: string): boolean {
  const [first, second] = [parseAddress(one), parseAddress(other)];
  return first !== undefined && second !== undefined && isSame(first, second);
}

function denialReason(address: Ip, allow: readonly Cidr[]): DenialReason | undefined {
  const opened = allow.some((range) => inRange(address, range));
  const named = opened && allow.some(([ip, bits]) => bits === lengthOf(address) && isSame(ip, address));
  const hidden = named ? undefined : embeddedDenialReason(address, opened, allow);
  if (hidden !== undefined) return hidden;
  const row = rows.find(({ cidr }) => inRange(address, cidr));
  if (row !== undefined) {
    const passes = { range: opened, exact: named, never: false }[row.opens];
    return passes ? undefined : row.reason;
  }
  if (address.kind() === 'ipv6' && !inRange(address, globalUnicast) && !opened) return 'reserved';
  return undefined;
}

function embeddedDenialReason(
  address: Ip,
  opened: boolean,
  allow: readonly Cidr[],
): DenialReason | undefined {
  if (!(address instanceof ipaddr.IPv6)) return undefined;
  const { parts } = address;
  for (const { holds, inside, reason } of embeddings) {
    if (!holds(parts)) continue;
    if (!opened) return reason;
    for (const hidden of inside(parts)) {
      const denial = denialReason(hidden, allow);
      if (denial !== undefined) return denial;
    }
  }
  return undefined;
}

function listensOn(listener: ListenAddress, address: Ip): boolean {
  const own = parseAddress(listener.address);
  if (own === undefined) return false;
  if (isSame(own, address)) return true;
  const wildcard = own.toByteArray().every((byte) => byte === 0);
  // The IPv6 wildcard accepts IPv4 connections as well.
  if (!wildcard || (own.kind() === 'ipv4' && address.kind() === 'ipv6')) return false;
  return address.range() === 'loopback' || isOfThisMachine(address);
}

function isOfThisMachine(address: Ip): boolean {
  for (const entries of Object.values(networkInterfaces()))
    for (const entry of entries ?? []) {
      const own = parseAddress(entry.address);
      if (own !== undefined && isSame(own, address)) return true;
    }
  return false;
}

function isSame(one: Ip, other: Ip): boolean {
  return one.kind() === other.kind() && inRange(one, [other, lengthOf(other)]);
}

function inRange(address: Ip, [network, bits]: Cidr): boolean {
  return address.kind() === network.kind() && address.match(network, bits);
}

function lengthOf(address: Ip): number {
  return address.kind() === 'ipv4' ? 32 : 128;
}
