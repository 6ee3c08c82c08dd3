import { createOutboundClient, OutboundError } from '@millpond/outbound';
import { Fault, selectableEvents } from '@millpond/protocol';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkEventRules, readEventRules } from './rules.ts';

const outbound = createOutboundClient({ connectionsPerOrigin: 1, maxOrigins: 1 });
const RULE = { name: 'photos', url: 'https://example.com/events', events: ['created'] };

const hintOf = (given: unknown): string | undefined => {
  try {
    checkEventRules(readEventRules(Buffer.from(JSON.stringify(given))), outbound);
    return undefined;
  } catch (error) {
    if (!(error instanceof Fault) || error.fault !== 'invalidArgument') throw error;
    return error.hint;
  }
};

describe('rules', () => {
  test('may select each event, and are kept as given', () => {
    const full = {
      ...RULE,
      events: [...selectableEvents],
      prefix: 'a/',
      suffix: '.jpg',
      minSize: 1,
      maxSize: 9,
    };
    expect(checkEventRules([full], outbound)).toEqual([full]);
    expect(
      checkEventRules([{ ...RULE, prefix: '', suffix: '', events: ['created', 'created'] }], outbound),
    ).toEqual([RULE]);
    expect(checkEventRules([], outbound)).toEqual([]);
  });

  test.each([
    [{}, 'the body must be a JSON array'],
    [[1], 'the body must be a JSON object'],
    [[{ ...RULE, extra: 1 }], 'no field "extra"'],
    [[{ ...RULE, name: '' }], 'name must be'],
    [[{ ...RULE, name: 'a\nb' }], 'name must be'],
    [[{ ...RULE, name: 'a'.repeat(256) }], 'name must be'],
    [[{ ...RULE, url: 'ftp://example.com/' }], 'url: '],
    [[{ ...RULE, url: 'nonsense' }], 'url: '],
    [[{ ...RULE, url: undefined }], 'url must be'],
    [[{ ...RULE, url: `https://example.com/${'a'.repeat(2048)}` }], 'url must be'],
    [[{ ...RULE, events: [] }], 'events must be'],
    [[{ ...RULE, events: 'created' }], 'events must be'],
    [[{ ...RULE, events: ['created.'] }], 'no event "created."'],
    [[{ ...RULE, events: ['toString'] }], 'no event "toString"'],
    [[{ ...RULE, prefix: 1 }], 'prefix must be'],
    [[{ ...RULE, suffix: 'a'.repeat(5000) }], 'suffix can’t be'],
    [[{ ...RULE, minSize: -1 }], 'minSize must be'],
    [[{ ...RULE, maxSize: 1.5 }], 'maxSize must be'],
    [[{ ...RULE, minSize: 2, maxSize: 1 }], 'minSize is larger'],
    [[RULE, RULE], 'the same name'],
    [Array.from({ length: 101 }, (_, at) => ({ ...RULE, name: `r${at}` })), 'at most 100'],
  ])('%j is refused', (given, hint) => {
    expect(hintOf(given)).toContain(hint);
  });

  test('nothing but a refusal comes of anything else', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        const given: unknown = JSON.parse(text);
        expect(() => hintOf([{ ...RULE, events: given, prefix: given }])).not.toThrow();
        expect(() => hintOf(given)).not.toThrow();
      }),
      { numRuns: 300 },
    );
  });

  test('a denied address is no fault of the rule: it fails when it is called', () => {
    expect(() => outbound.check('http://127.0.0.1:9/')).toThrow(OutboundError);
    expect(hintOf([{ ...RULE, url: 'http://127.0.0.1:9/' }])).toBeUndefined();
  });
});
