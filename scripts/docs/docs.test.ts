import { describe, expect, test } from 'vitest';
import { commandsPage, splitHelp } from './commands.ts';
import { configurationPage } from './configuration.ts';
import { databasePage } from './database.ts';
import { errorsPage } from './errors.ts';
import { page, table } from './markdown.ts';
import { answerOf, recordsPage } from './records.ts';
import { uploadPolicyPage } from './upload-policy.ts';

const text = { form: 'text', read: (value: string) => value };

describe('tables', () => {
  test('bars, tags and line ends stay inside their cell', () => {
    expect(table(['a', 'b'], [['x | `y|z`', '<b> and `<c>`\nd']])).toBe(
      '| a | b |\n|---|---|\n| x \\| `y\\|z` | &lt;b> and `<c>` d |',
    );
  });

  test('a page ends with one line end and says where it comes from', () => {
    expect(page('Title', 'a table', ['one', 'two'])).toMatch(
      /^# Title\n\n<!-- .*a table.* -->\n\none\n\ntwo\n$/,
    );
  });
});

describe('configuration', () => {
  const rowOf = (setting: object) =>
    configurationPage([
      { title: 'Group', settings: [{ env: 'MILLPOND_X', reader: text, meaning: 'It does.', ...setting }] },
    ])
      .split('\n')
      .find((line) => line.startsWith('| `MILLPOND_X`'));

  test.each([
    [{}, '| `MILLPOND_X` | text | **required** | It does. |  |'],
    [{ optional: true }, '| `MILLPOND_X` | text | none | It does. |  |'],
    [{ fallback: '' }, '| `MILLPOND_X` | text | empty | It does. |  |'],
    [{ fallback: '5s', secret: true }, '| `MILLPOND_X` | text | `5s` | It does. | yes |'],
  ])('%o', (setting, line) => expect(rowOf(setting)).toBe(line));
});

test('errors are ordered by status, and every row is there', () => {
  const made = errorsPage({
    objects: { late: { status: 612, text: 'no such' }, early: { status: 400, text: 'wrong' } },
    accounts: { one: { status: 401, code: 9, error: 'expired_token', text: 'too old' } },
  });
  expect(made.indexOf('| 400 | `wrong` | `early` |')).toBeGreaterThan(0);
  expect(made.indexOf('| 612 | `no such` | `late` |')).toBeGreaterThan(made.indexOf('| 400 | `wrong` |'));
  expect(made).toContain('| 401 | 9 | `expired_token` | too old | `one` |');
  expect(made).toMatch(/^\| 298 \| {2}\| .+\n\| 579 \| `callbackFailed` \|/m);
});

describe('upload policy', () => {
  const made = uploadPolicyPage({
    fields: {
      a: { type: 'text', maxBytes: 750, meaning: 'm' },
      b: { type: 'integer', min: -1, max: 1, meaning: 'm' },
      c: { type: 'integer', min: 0, max: 2 ** 63, meaning: 'm' },
      d: { type: 'integer', meaning: 'm' },
      e: { type: 'flag', meaning: 'm' },
      f: { type: 'texts', maxBytes: 7, maxEntries: 20, meaning: 'm' },
    },
    variables: {
      key: { places: ['saveKey', 'body'], meaning: 'the key' },
      exif: { places: ['body'], fields: true, meaning: 'tags' },
    },
  });

  test.each([
    '| `a` | text of at most 750 bytes | m |',
    '| `b` | whole number from -1 to 1 | m |',
    '| `c` | whole number, at least 0 | m |',
    '| `d` | whole number | m |',
    '| `e` | `true` or `false` | m |',
    '| `f` | list of at most 20 texts, each of at most 7 bytes | m |',
    '| `$(key)` | `saveKey`, `returnBody`, `callbackBody` | the key |',
    '| `$(exif.…)` | `returnBody`, `callbackBody` | tags |',
  ])('%s', (line) => expect(made.split('\n')).toContain(line));
});

describe('commands', () => {
  test('each has a section with its own help', () => {
    const commands = splitHelp(
      '# millpond\n\nUsage: millpond\n\n# millpond account create\n\nUsage: it\n  # no name\n',
    );
    expect(commands.map(({ name }) => name)).toEqual(['millpond', 'millpond account create']);
    expect(commandsPage(commands)).toContain(
      '## millpond account create\n\n```text\nUsage: it\n  # no name\n```',
    );
  });
});

describe('records', () => {
  const made = recordsPage(
    {
      Thing: {
        type: 'object',
        required: ['name'],
        properties: {
          name: { type: 'string', description: 'what it is called' },
          kinds: { type: 'array', items: { enum: ['a', 1] } },
          within: { type: 'object', properties: { at: { type: 'string', format: 'date-time' } } },
        },
      },
    },
    { gone: { about: 'It went away', body: { type: 'object', properties: { id: { type: 'string' } } } } },
  );

  test.each([
    '| **`name`** | string | what it is called |',
    '| `kinds` | list of `"a"`, `1` |  |',
    '| `within` | record |  |\n| `within.at` | time, ISO 8601 |  |',
    '### gone\n\nIt went away.\n\n| field | type | meaning |\n|---|---|---|\n| `id` | string |  |',
  ])('%s', (line) => expect(made).toContain(line));

  test.each([
    [{ $ref: '#/components/schemas/Task' }, '[Task](records.md#task)'],
    [{ type: 'array', items: { $ref: '#/components/schemas/Task' } }, 'list of [Task](records.md#task)'],
    [
      { properties: { items: { items: { $ref: '#/components/schemas/Task' } } } },
      'page of [Task](records.md#task)',
    ],
    [{ type: 'object' }, ''],
    [undefined, ''],
  ])('a call that answers %o', (schema, text) => expect(answerOf(schema)).toBe(text));
});

describe('the databases', () => {
  const made = databasePage({
    One: `CREATE TABLE s.t (
  x integer
);
CREATE TRIGGER t_changed AFTER INSERT OR UPDATE OF x, y ON s.t
  REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT
  EXECUTE FUNCTION s.f();
COMMENT ON TRIGGER t_changed ON s.t IS 'Keeps it.';
CREATE TRIGGER t_gone BEFORE DELETE ON s.t
  FOR EACH ROW
  WHEN ((old.x > 0))
  EXECUTE FUNCTION s.f();
COMMENT ON TRIGGER t_gone ON s.t IS 'Lets it go.';

CREATE FUNCTION s.f()
AS $$
BEGIN END $$;
COMMENT ON FUNCTION s.f() IS 'It''s work.';

COMMENT ON AGGREGATE s.total(integer) IS 'Adds (up).';
`,
  });

  test.each([
    '| `s.t` | `t_changed` | after insert or update of x, y | `s.f` | Keeps it. |',
    '| `s.t` | `t_gone` | before delete | `s.f` | Lets it go. |',
    "| `s.f` | It's work. |",
    '| `s.total` | Adds (up). |',
  ])('%s', (line) => expect(made.split('\n')).toContain(line));
});
