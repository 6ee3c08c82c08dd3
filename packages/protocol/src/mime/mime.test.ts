import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Fault } from '../errors/fault.ts';
import { extensionOf, extensionOfMime, mimeOfExtension } from './extensions.ts';
import { sniffMimeType } from './sniff.ts';
import { isActiveType, isValidMimeType, validateMimeType } from './type.ts';

const bytes = (latin1: string) => Uint8Array.from(latin1, (c) => c.charCodeAt(0));
const utf8 = (text: string) => new TextEncoder().encode(text);

describe('the interface rule for MIME types', () => {
  test('accepts its characters, the empty type and exactly 200 bytes', () => {
    for (const type of ['', 'image/svg+xml', 'text/plain; charset=utf-8', 'a,b_c', 'a'.repeat(200)]) {
      expect(isValidMimeType(type), type).toBe(true);
    }
  });

  test('refuses escapes, quotes, line breaks, other alphabets and 201 bytes', () => {
    for (const type of [
      'text%2Fplain',
      'a"b',
      'a\r\nX: y',
      'a\n',
      '图片/png',
      'a:b',
      '*/*',
      'a'.repeat(201),
    ]) {
      expect(() => validateMimeType(type), type).toThrow(new Fault('invalidMimeType'));
    }
  });
});

describe('active types', () => {
  test.each([
    'text/html',
    'TEXT/HTML; charset=utf-8',
    'application/xhtml+xml',
    'image/svg+xml',
    'application/xml',
    'text/xml',
    'text/xsl',
    'application/pdf',
    'text/javascript',
    'application/x-javascript',
    'application/x-shockwave-flash',
    'text/x-component',
    'message/rfc822',
    'application/rss+xml',
    'text/plain, text/html',
    'html',
    '',
  ])('%s is active', (type) => expect(isActiveType(type)).toBe(true));

  test.each([
    'image/png',
    'text/plain; charset=utf-8',
    'video/mp4',
    'application/json',
    'application/octet-stream',
  ])('%s is passive', (type) => expect(isActiveType(type)).toBe(false));
});

describe('extensions', () => {
  test('the last extension counts, in any case, and folders do not', () => {
    expect(mimeOfExtension('a/b.tar.GZ')).toBe('application/gzip');
    expect(mimeOfExtension('photo.JPEG')).toBe('image/jpeg');
    expect(mimeOfExtension('a.png/readme')).toBeUndefined();
    expect(mimeOfExtension('noextension')).toBeUndefined();
    expect(mimeOfExtension('x.constructor')).toBeUndefined();
  });

  test('a name that only begins with a dot has no extension', () => {
    expect(extensionOf('.profile')).toBe('');
    expect(extensionOf('dir/.profile')).toBe('');
    expect(extensionOf('a.')).toBe('');
    expect(extensionOf('a.b.C')).toBe('C');
  });

  test('a type gives the extension that gives the type back', () => {
    expect(extensionOfMime('image/jpeg')).toBe('jpg');
    for (const name of ['mp4', 'ts', 'js', 'docx', 'm3u8', 'svg', 'mht', 'swf', 'htc']) {
      const type = mimeOfExtension(`a.${name}`) ?? '';
      expect(isValidMimeType(type)).toBe(true);
      expect(mimeOfExtension(`a.${extensionOfMime(type)}`)).toBe(type);
    }
  });
});

describe('sniffing', () => {
  const ftyp = (brand: string) => bytes(`\0\0\0\x18ftyp${brand}\0\0\0\0`);
  test.each<[string | undefined, Uint8Array]>([
    ['image/jpeg', bytes('\xff\xd8\xff\xe0')],
    ['image/png', bytes('\x89PNG\r\n\x1a\n\0')],
    ['image/gif', bytes('GIF89a')],
    ['image/webp', bytes('RIFF\x10\0\0\0WEBPVP8 ')],
    ['audio/wav', bytes('RIFF\x10\0\0\0WAVEfmt ')],
    ['video/x-msvideo', bytes('RIFF\x10\0\0\0AVI LIST')],
    ['image/heic', ftyp('heic')],
    ['image/avif', ftyp('avif')],
    ['video/quicktime', ftyp('qt  ')],
    ['audio/mp4', ftyp('M4A ')],
    ['video/mp4', ftyp('isom')],
    ['video/webm', bytes('\x1aE\xdf\xa3\x9fB\x86\x81\x01B\x82\x84webm')],
    ['video/x-matroska', bytes('\x1aE\xdf\xa3\x9fB\x86\x81\x01B\x82\x88matroska')],
    ['video/mp2t', bytes(`G${'\xff'.repeat(187)}`.repeat(3))],
    ['video/mp2t', bytes(`\0\x01\x02\x03G${'\xff'.repeat(187)}`.repeat(3))],
    ['text/plain', bytes('GATTACA '.repeat(100))],
    ['video/quicktime', bytes('\0\0\0\x08wide\0\0\x01\0mdat')],
    ['video/quicktime', bytes('\0\0\x04\0moov\0\0\0\x6cmvhd')],
    ['text/plain', bytes("I'm free today")],
    ['image/heic', ftyp('heis')],
    ['image/tiff', bytes('MM\0+\0\x08\0\0')],
    ['image/x-icon', bytes('\0\0\x02\0\x01\0\x20\x20')],
    ['audio/aiff', bytes('FORM\0\0\0\x10AIFCFVER')],
    ['audio/wav', bytes('RF64\xff\xff\xff\xffWAVEds64')],
    ['audio/aac', bytes('ADIF\x40\x01\x02\x03')],
    ['audio/mpeg', bytes('\xff\xfb\x90\x64\0')],
    ['audio/aac', bytes('\xff\xf1\x50\x80')],
    ['audio/opus', bytes(`OggS${'\0'.repeat(24)}OpusHead`)],
    ['application/pdf', bytes('%PDF-1.7\n')],
    ['application/gzip', bytes('\x1f\x8b\x08\0')],
    ['application/zip', bytes(`PK\x03\x04${'\0'.repeat(26)}a.txt`)],
    ['application/epub+zip', bytes(`PK\x03\x04${'\0'.repeat(26)}mimetypeapplication/epub+zipPK`)],
    ['application/x-tar', bytes(`${'a'.repeat(257)}ustar\0`)],
    ['text/html', utf8('\ufeff \n<!DOCTYPE html><p>')],
    ['text/html', utf8('<!-- x --><script>alert(1)</script>')],
    ['text/html', utf8(`<!-- ${'x'.repeat(2000)} --><script>`)],
    ['image/svg+xml', utf8('<?xml version="1.0"?><!-- c --><svg xmlns="x">')],
    ['image/svg+xml', utf8('<svg onload="alert(1)">')],
    ['text/xml', utf8('<?xml version="1.0"?><note/>')],
    ['application/json', utf8('{"a": [1, 2]}')],
    ['text/plain', utf8('{"a": oops')],
    ['text/plain', utf8('Grüße, 世界\n')],
    ['text/plain', utf8('ID3 tags explained; BMP too; G')],
    ['application/vnd.apple.mpegurl', utf8('#EXTM3U\n#EXT-X-VERSION:3\n')],
    [undefined, bytes('\0\0\0\0\x01\x02')],
    [undefined, bytes('')],
    [undefined, bytes('caf\xe9 latin-1')],
  ])('%s', (type, content) => expect(sniffMimeType(content)).toBe(type));

  test('text whose 1,024th byte falls inside a character is still text', () => {
    expect(sniffMimeType(utf8(`a${'世'.repeat(600)}`))).toBe('text/plain');
  });

  test('no input makes it throw, and what it names is a valid type', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 1200 }), (content) => {
        expect(isValidMimeType(sniffMimeType(content) ?? '')).toBe(true);
      }),
    );
  });
});
