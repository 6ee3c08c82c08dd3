/** Reads a lifecycle configuration. What can't be carried out is refused by name; what has no effect here is kept. */
import { MAX_KEY_BYTES, MAX_OBJECT_DAYS } from '../../limits/limits.ts';
import { utf8Length } from '../../utf8.ts';
import { S3Fault } from '../fault.ts';
import { storageClassOf } from '../storage-class.ts';
import { childFlag, childrenOf, malformed, parseXml, requiredText } from '../xml/body.ts';
import type { XmlElement } from '../xml/read.ts';
import { allowOnlyChildren, neededChild, numberOf, onlyChild } from './elements.ts';
import {
  type LifecycleScope,
  type LifecycleTag,
  type LifecycleTime,
  type LifecycleTransition,
  MINIMUM_SIZE_HEADER,
  MINIMUM_SIZES,
  type NoncurrentAction,
  type S3Lifecycle,
  type S3LifecycleRule,
} from './lifecycle.ts';

const MAX_RULES = 100;
const MAX_ID_LENGTH = 255;
const MAX_TAGS = 10;
const MAX_OBJECT_SIZE = Number.MAX_SAFE_INTEGER;
const CONDITIONS = ['Prefix', 'Tag', 'ObjectSizeGreaterThan', 'ObjectSizeLessThan'];
/** Gateways keep the rules of many buckets in memory. */
const MAX_DOCUMENT_BYTES = 64 * 1024;

/** `minimumSize` is the header of that meaning; `newId` names rules without an ID. */
export function readLifecycle(
  body: Uint8Array,
  minimumSize: string | undefined,
  newId: () => string,
): S3Lifecycle {
  if (body.length > MAX_DOCUMENT_BYTES)
    throw new S3Fault('MaxMessageLengthExceeded', {
      details: { MaxMessageLengthBytes: String(MAX_DOCUMENT_BYTES) },
    });
  const root = parseXml(body, 'LifecycleConfiguration');
  allowOnlyChildren(root, ['Rule']);
  if (root.children.length === 0) throw malformed('LifecycleConfiguration has no Rule');
  if (root.children.length > MAX_RULES)
    throw new S3Fault('InvalidRequest', {
      message: `A bucket may have at most ${MAX_RULES} lifecycle rules`,
    });
  const rules = root.children.map((rule) => readRule(rule, newId));
  if (new Set(rules.map(({ id }) => id)).size < rules.length)
    throw invalid('Rule ID must be unique. Found same ID for more than one rule');
  return { minimumSize: readMinimumSize(minimumSize), rules };
}

function readMinimumSize(given: string | undefined): S3Lifecycle['minimumSize'] {
  const found = MINIMUM_SIZES.find((name) => name === (given ?? MINIMUM_SIZES[0]));
  if (found === undefined)
    throw new S3Fault('InvalidRequest', {
      message: `${MINIMUM_SIZE_HEADER} must be ${MINIMUM_SIZES.join(' or ')}`,
    });
  return found;
}

function readRule(rule: XmlElement, newId: () => string): S3LifecycleRule {
  allowOnlyChildren(rule, [
    'ID',
    'Prefix',
    'Filter',
    'Status',
    'Expiration',
    'Transition',
    'NoncurrentVersionExpiration',
    'NoncurrentVersionTransition',
    'AbortIncompleteMultipartUpload',
  ]);
  const status = neededChild(rule, 'Status').text.trim();
  if (status !== 'Enabled' && status !== 'Disabled') throw malformed('Status must be Enabled or Disabled');
  const read: S3LifecycleRule = {
    id: readId(onlyChild(rule, 'ID')) ?? newId(),
    isEnabled: status === 'Enabled',
    scope: readScope(rule),
    ...readExpiration(onlyChild(rule, 'Expiration')),
    ...listed('transitions', childrenOf(rule, 'Transition').map(readTransition)),
    ...readNoncurrent(rule),
    ...readAbort(onlyChild(rule, 'AbortIncompleteMultipartUpload')),
  };
  checkActions(read);
  return read;
}

/** An empty ID counts as none. */
function readId(element: XmlElement | undefined): string | undefined {
  if (element === undefined || element.text === '') return undefined;
  if (element.text.length > MAX_ID_LENGTH)
    throw invalid(`ID length should not exceed allowed limit of ${MAX_ID_LENGTH}`);
  if (element.text.includes('\0')) throw invalid('ID must not contain NUL');
  return element.text;
}

function readScope(rule: XmlElement): LifecycleScope {
  const [old, filter] = [onlyChild(rule, 'Prefix'), onlyChild(rule, 'Filter')];
  if ((old === undefined) === (filter === undefined))
    throw malformed('a Rule needs either a Filter or a Prefix');
  if (filter === undefined) return { in: 'Rule', ...conditionsOf(rule, old) };
  allowOnlyChildren(filter, [...CONDITIONS, 'And']);
  const and = onlyChild(filter, 'And');
  if (and === undefined) return { in: 'Filter', ...conditionsOf(filter, onlyChild(filter, 'Prefix')) };
  if (filter.children.length > 1) throw malformed('a Filter with And has nothing beside it');
  allowOnlyChildren(and, CONDITIONS);
  return { in: 'And', ...conditionsOf(and, onlyChild(and, 'Prefix')) };
}

function conditionsOf(element: XmlElement, prefix: XmlElement | undefined): Omit<LifecycleScope, 'in'> {
  if (prefix !== undefined && (utf8Length(prefix.text) > MAX_KEY_BYTES || prefix.text.includes('\0')))
    throw invalid(`The maximum size of a prefix is ${MAX_KEY_BYTES} bytes`);
  const [above, below] = [
    onlyChild(element, 'ObjectSizeGreaterThan'),
    onlyChild(element, 'ObjectSizeLessThan'),
  ];
  const [least, most] = [
    above && numberOf(above, MAX_OBJECT_SIZE),
    below && numberOf(below, MAX_OBJECT_SIZE),
  ];
  if (least !== undefined && most !== undefined && most <= least)
    throw new S3Fault('InvalidRequest', {
      message: 'ObjectSizeLessThan must be larger than ObjectSizeGreaterThan',
    });
  return {
    ...(prefix !== undefined && { prefix: prefix.text }),
    ...listed('tags', readTags(childrenOf(element, 'Tag'))),
    ...(least !== undefined && { sizeGreaterThan: least }),
    ...(most !== undefined && { sizeLessThan: most }),
  };
}

function readTags(elements: readonly XmlElement[]): LifecycleTag[] {
  const tags = elements.map((tag) => ({ key: requiredText(tag, 'Key'), value: requiredText(tag, 'Value') }));
  const isFit = ({ key, value }: LifecycleTag) =>
    key !== '' && key.length <= 128 && value.length <= 256 && !`${key}${value}`.includes('\0');
  if (tags.length > MAX_TAGS || !tags.every(isFit)) throw new S3Fault('InvalidTag');
  if (new Set(tags.map(({ key }) => key)).size < tags.length)
    throw new S3Fault('InvalidRequest', { message: 'Duplicate Tag Keys are not allowed.' });
  return tags;
}

function readExpiration(
  element: XmlElement | undefined,
): Pick<S3LifecycleRule, 'expiration' | 'expiredObjectDeleteMarker'> {
  if (element === undefined) return {};
  allowOnlyChildren(element, ['Days', 'Date', 'ExpiredObjectDeleteMarker']);
  if (element.children.length !== 1)
    throw malformed('Expiration has one of Days, Date, ExpiredObjectDeleteMarker');
  const marker = childFlag(element, 'ExpiredObjectDeleteMarker');
  return marker === undefined ? { expiration: readTime(element, 1) } : { expiredObjectDeleteMarker: marker };
}

function readTransition(element: XmlElement): LifecycleTransition {
  allowOnlyChildren(element, ['Days', 'Date', 'StorageClass']);
  const storageClass = neededChild(element, 'StorageClass').text.trim();
  if (storageClassOf(storageClass) === 0) throw new S3Fault('InvalidStorageClass');
  return { ...readTime(element, 0), storageClass };
}

function readTime(element: XmlElement, least: number): LifecycleTime {
  const [days, date] = [onlyChild(element, 'Days'), onlyChild(element, 'Date')];
  if ((days === undefined) === (date === undefined))
    throw malformed(`${element.name} has either Days or Date`);
  return days === undefined ? { date: readDate(date?.text.trim() ?? '') } : { days: readDays(days, least) };
}

function readDays(element: XmlElement, least: number): number {
  const days = numberOf(element, MAX_OBJECT_DAYS);
  if (days < least) throw invalid(`'${element.name}' must be a positive integer`);
  return days;
}

function readDate(text: string): string {
  const isDate = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d))?$/.test(text);
  const time = isDate ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time)) throw invalid("'Date' must be in ISO 8601 format");
  if (time % 86_400_000 !== 0) throw invalid("'Date' must be at midnight GMT");
  return new Date(time).toISOString();
}

function readNoncurrent(
  rule: XmlElement,
): Pick<S3LifecycleRule, 'noncurrentExpiration' | 'noncurrentTransitions'> {
  const expiration = onlyChild(rule, 'NoncurrentVersionExpiration');
  return {
    ...(expiration !== undefined && { noncurrentExpiration: readNoncurrentAction(expiration, false) }),
    ...listed(
      'noncurrentTransitions',
      childrenOf(rule, 'NoncurrentVersionTransition').map((element) => readNoncurrentAction(element, true)),
    ),
  };
}

function readNoncurrentAction(element: XmlElement, isTransition: boolean): NoncurrentAction {
  allowOnlyChildren(element, [
    'NoncurrentDays',
    'NewerNoncurrentVersions',
    ...(isTransition ? ['StorageClass'] : []),
  ]);
  const [days, newer] = [onlyChild(element, 'NoncurrentDays'), onlyChild(element, 'NewerNoncurrentVersions')];
  if (days === undefined && newer === undefined) throw malformed(`${element.name} has no NoncurrentDays`);
  const storageClass = isTransition ? neededChild(element, 'StorageClass').text.trim() : undefined;
  if (storageClass !== undefined) storageClassOf(storageClass);
  return {
    ...(days !== undefined && { days: readDays(days, isTransition ? 0 : 1) }),
    ...(newer !== undefined && { newerVersions: readDays(newer, 1) }),
    ...(storageClass !== undefined && { storageClass }),
  };
}

function readAbort(element: XmlElement | undefined): Pick<S3LifecycleRule, 'abortUploadsAfterDays'> {
  if (element === undefined) return {};
  allowOnlyChildren(element, ['DaysAfterInitiation']);
  return { abortUploadsAfterDays: readDays(neededChild(element, 'DaysAfterInitiation'), 1) };
}

function checkActions(rule: S3LifecycleRule): void {
  const { expiration, transitions = [], scope } = rule;
  const acts =
    expiration !== undefined ||
    rule.expiredObjectDeleteMarker !== undefined ||
    transitions.length > 0 ||
    rule.noncurrentExpiration !== undefined ||
    rule.noncurrentTransitions !== undefined ||
    rule.abortUploadsAfterDays !== undefined;
  if (!acts)
    throw new S3Fault('InvalidRequest', { message: 'At least one action needs to be specified in a rule' });
  const isPicky =
    scope.tags !== undefined || scope.sizeGreaterThan !== undefined || scope.sizeLessThan !== undefined;
  if (rule.abortUploadsAfterDays !== undefined && isPicky)
    throw new S3Fault('InvalidRequest', {
      message: 'AbortIncompleteMultipartUpload cannot be specified with Tags or object sizes',
    });
  checkOrder(transitions, expiration);
}

/** Colder classes come later, and removal comes last. */
function checkOrder(
  transitions: readonly LifecycleTransition[],
  expiration: LifecycleTime | undefined,
): void {
  const stages: readonly LifecycleTime[] = transitions.toSorted(
    (one, other) => storageClassOf(one.storageClass) - storageClassOf(other.storageClass),
  );
  const classes = transitions.map(({ storageClass }) => storageClassOf(storageClass));
  if (new Set(classes).size < classes.length)
    throw new S3Fault('InvalidRequest', {
      message: "'StorageClass' must be different for 'Transition' actions",
    });
  const times = expiration === undefined ? stages : [...stages, expiration];
  if (times.some((time) => 'days' in time !== 'days' in (times[0] ?? time)))
    throw new S3Fault('InvalidRequest', {
      message: "Found mixed 'Date' and 'Days' based Expiration and Transition actions in a rule",
    });
  const at = times.map((time) => ('days' in time ? time.days : Date.parse(time.date)));
  if (at.some((value, index) => index > 0 && value <= (at[index - 1] ?? 0)))
    throw invalid(
      'transitions must go to colder classes in this order, and the expiration must come after them',
    );
}

/** Lists that are empty are left out. */
function listed<Name extends string, Item>(
  name: Name,
  items: readonly Item[],
): { readonly [key in Name]?: readonly Item[] } {
  return items.length === 0 ? {} : ({ [name]: items } as { readonly [key in Name]?: readonly Item[] });
}

function invalid(message: string): S3Fault {
  return new S3Fault('InvalidArgument', { message });
}
