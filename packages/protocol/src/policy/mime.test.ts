import { describe, expect, test } from 'vitest';
import { allowsMimeType, decideMimeType, detectedMimeType, limitedMimeType, parseMimeLimit } from './mime.ts';

describe('mimeLimit', () => {
  test.each<[string, string, boolean]>([
    ['image/*', 'image/png', true],
    ['image/*', 'IMAGE/PNG; q=1', true],
    ['image/*', 'video/mp4', false],
    ['image/*', 'imagex/png', false],
    ['image/jpeg;image/png', 'image/png', true],
    ['image/jpeg; image/png;', 'image/png', true],
    ['image/jpeg;image/png', 'image/gif', false],
    ['!application/json;text/plain', 'text/plain', false],
    ['!application/json;text/plain', 'image/png', true],
    ['!image/*', 'image/png', false],
    ['Image/SVG+xml', 'image/svg+xml', true],
  ])('%s and %s: %s', (limit, type, allowed) => {
    expect(allowsMimeType(parseMimeLimit(limit), type)).toBe(allowed);
  });
});

describe('the type of an upload under a limit', () => {
  const [PNG, SVG, TEXT, BYTES] = ['image/png', 'image/svg+xml', 'text/plain', 'application/octet-stream'];
  test.each<[string, object, string | undefined]>([
    ['image/*', { content: PNG, fileExtension: 'text/html' }, PNG],
    // Not recognised: no name makes an image, a sound or a video of it.
    ['image/*', { fileExtension: PNG }, undefined],
    ['image/png', { fileExtension: PNG, client: PNG }, undefined],
    ['image/*;audio/*;video/*', { keyExtension: 'video/mp4' }, undefined],
    ['audio/*', { keyExtension: 'audio/mpeg' }, undefined],
    ['image/*', { content: TEXT, fileExtension: SVG }, undefined],
    ['image/*', { content: SVG }, SVG],
    ['image/*', {}, undefined],
    [`image/*;${BYTES}`, { fileExtension: PNG }, BYTES],
    [`image/*;${TEXT}`, { content: TEXT, fileExtension: SVG }, TEXT],
    // A document is told by its name where its content says nothing.
    ['application/msword', { fileExtension: 'application/msword' }, 'application/msword'],
    ['text/csv', { content: TEXT, fileExtension: 'text/csv' }, 'text/csv'],
    ['text/csv', { content: 'text/html', fileExtension: 'text/csv' }, undefined],
    // What is forbidden is so by its content and by its name.
    ['!image/*', { fileExtension: PNG }, undefined],
    ['!image/*', { content: PNG, fileExtension: 'text/csv' }, undefined],
    ['!image/*', { fileExtension: 'video/mp4' }, BYTES],
    [`!application/json;${TEXT}`, { content: TEXT }, undefined],
    [`!application/json;${TEXT}`, { content: TEXT, fileExtension: SVG }, undefined],
    [`!application/json;${TEXT}`, { content: TEXT, fileExtension: 'application/json' }, undefined],
    [`!application/json;${TEXT}`, { content: TEXT, fileExtension: 'text/csv' }, 'text/csv'],
    [`!application/json;${TEXT}`, { content: PNG }, PNG],
    [`!application/json;${TEXT}`, {}, BYTES],
  ])('%s with %j: %s', (limit, candidates, type) => {
    expect(limitedMimeType(parseMimeLimit(limit), candidates)).toBe(type);
  });
});

describe('detectMime', () => {
  const all = { client: 'a/client', fileExtension: 'a/file', keyExtension: 'a/key', content: 'a/content' };
  test('0: client, file extension, key extension, content', () => {
    expect(decideMimeType(0, all)).toBe('a/client');
    expect(decideMimeType(0, { ...all, client: undefined })).toBe('a/file');
    expect(decideMimeType(0, { ...all, client: '' })).toBe('a/file');
    expect(decideMimeType(0, { keyExtension: 'a/key', content: 'a/content' })).toBe('a/key');
    expect(decideMimeType(0, { content: 'a/content' })).toBe('a/content');
    expect(decideMimeType(0, {})).toBe('application/octet-stream');
  });

  test('1: content, file extension, key extension, never the client', () => {
    expect(decideMimeType(1, all)).toBe('a/content');
    expect(decideMimeType(1, { ...all, content: undefined })).toBe('a/file');
    expect(decideMimeType(1, { client: 'a/client', keyExtension: 'a/key' })).toBe('a/key');
    expect(decideMimeType(1, { client: 'a/client' })).toBe('application/octet-stream');
  });

  test('-1: the client alone', () => {
    expect(decideMimeType(-1, all)).toBe('a/client');
    expect(decideMimeType(-1, { ...all, client: undefined })).toBe('application/octet-stream');
  });

  test('a type that may not stand in a header counts as not given', () => {
    expect(decideMimeType(0, { client: 'text/html\r\nX: y', content: 'image/png' })).toBe('image/png');
    expect(decideMimeType(-1, { client: 'a%2Fb' })).toBe('application/octet-stream');
  });

  test('an extension refines plain text, and only that', () => {
    expect(detectedMimeType({ content: 'text/plain', fileExtension: 'text/css' })).toBe('text/css');
    expect(detectedMimeType({ content: 'text/plain', keyExtension: 'application/json' })).toBe(
      'application/json',
    );
    expect(detectedMimeType({ content: 'text/plain', fileExtension: 'image/png' })).toBe('text/plain');
    expect(detectedMimeType({ content: 'text/html', fileExtension: 'text/css' })).toBe('text/html');
  });
});
