/** The CORS rules of a bucket as S3 has them in XML. In memory they are the interface's own rules, with an ID more. */
import { MAX_CORS_AGE_SECONDS } from '../../limits/limits.ts';
import { S3Fault } from '../fault.ts';
import { childrenOf, childText, malformed, parseXml } from '../xml/body.ts';
import type { XmlElement } from '../xml/read.ts';
import { writeXml } from '../xml/write.ts';
import { allowOnlyChildren, numberOf, onlyChild } from './elements.ts';

export interface NamedCorsRule {
  readonly id?: string;
  readonly allowed_origin: readonly string[];
  readonly allowed_method: readonly string[];
  readonly allowed_header: readonly string[];
  readonly exposed_header: readonly string[];
  readonly max_age?: number;
}

/** The same limits as the interface's own call. */
const MAX_RULES = 10;
const MAX_VALUES = 50;
const MAX_VALUE_LENGTH = 256;
const MAX_ID_LENGTH = 255;
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE']);
/** Printable, no spaces or commas: it goes into a header. */
const PATTERN = /^[!-+\--~]+$/;
const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/;

export function readCors(body: Uint8Array): NamedCorsRule[] {
  const root = parseXml(body, 'CORSConfiguration');
  allowOnlyChildren(root, ['CORSRule']);
  if (root.children.length === 0) throw malformed('CORSConfiguration has no CORSRule');
  if (root.children.length > MAX_RULES)
    throw new S3Fault('InvalidRequest', { message: `A bucket may have at most ${MAX_RULES} CORS rules` });
  return root.children.map(readRule);
}

function readRule(rule: XmlElement): NamedCorsRule {
  allowOnlyChildren(rule, [
    'ID',
    'AllowedHeader',
    'AllowedMethod',
    'AllowedOrigin',
    'ExposeHeader',
    'MaxAgeSeconds',
  ]);
  const id = childText(rule, 'ID');
  if (id !== undefined && (id.length > MAX_ID_LENGTH || id.includes('\0')))
    throw invalid(`ID must have at most ${MAX_ID_LENGTH} characters`);
  const methods = texts(rule, 'AllowedMethod');
  const unknown = methods.find((method) => !METHODS.has(method));
  if (unknown !== undefined)
    throw new S3Fault('InvalidRequest', {
      message: `Found unsupported HTTP method in CORS config. Unsupported method is ${unknown}`,
    });
  const origins = patterns(rule, 'AllowedOrigin');
  if (origins.length === 0 || methods.length === 0)
    throw malformed('a CORSRule needs at least one AllowedOrigin and one AllowedMethod');
  const exposed = texts(rule, 'ExposeHeader');
  if (!exposed.every((name) => HEADER_NAME.test(name) && !name.includes('*')))
    throw invalid('ExposeHeader must be the name of a header');
  const age = onlyChild(rule, 'MaxAgeSeconds');
  return {
    ...(id !== undefined && { id }),
    allowed_origin: origins,
    allowed_method: methods,
    allowed_header: patterns(rule, 'AllowedHeader'),
    exposed_header: exposed,
    ...(age !== undefined && { max_age: numberOf(age, MAX_CORS_AGE_SECONDS) }),
  };
}

function patterns(rule: XmlElement, name: string): string[] {
  const found = texts(rule, name);
  for (const text of found) {
    if (text.split('*').length > 2) throw invalid(`${name} "${text}" can not have more than one wildcard.`);
    if (!PATTERN.test(text)) throw invalid(`${name} "${text}" is not valid.`);
  }
  return found;
}

function texts(rule: XmlElement, name: string): string[] {
  const found = childrenOf(rule, name).map(({ text }) => text.trim());
  if (found.length > MAX_VALUES || found.some((text) => text === '' || text.length > MAX_VALUE_LENGTH))
    throw invalid(`${name} may stand at most ${MAX_VALUES} times, with 1 to ${MAX_VALUE_LENGTH} characters`);
  return found;
}

function invalid(message: string): S3Fault {
  return new S3Fault('InvalidRequest', { message });
}

export function writeCors(rules: readonly NamedCorsRule[]): string {
  return writeXml('CORSConfiguration', {
    CORSRule: rules.map((rule) => ({
      ID: rule.id,
      AllowedHeader: rule.allowed_header,
      AllowedMethod: rule.allowed_method,
      AllowedOrigin: rule.allowed_origin,
      ExposeHeader: rule.exposed_header,
      MaxAgeSeconds: rule.max_age,
    })),
  });
}
