/** The reader of database URLs. Beyond libpq's form it refuses what the server would not act on: a setting without effect misleads. */
import { type Reader, ValueError } from './values.ts';

const FORM = 'postgres://user:password@host:5432[,host:5432…]/name';
const PARTS = /^(postgres(?:ql)?:\/\/(?:[^/?]*@)?)([^/?]*)(.*)$/s;

/** For each option that decides where and how to connect: its values, and what to do instead of others. */
const OPTIONS: Readonly<Record<string, readonly [values: RegExp, instead: string]>> = {
  target_session_attrs: [
    /^(any|primary|read-write)$/,
    'must be read-write or primary (or any, to look at a standby): Millpond writes, and reads nothing from a standby',
  ],
  sslmode: [
    /^(disable|no-verify|prefer|require|verify-ca|verify-full)$/,
    'must be verify-full, or no-verify for encryption without a look at the certificate, or disable',
  ],
  host: [/^[^,]*$/, `can't be a list: name the hosts before the path, ${FORM}`],
};

export const databaseUrl: Reader<string> = {
  form: `a URL, \`${FORM}\`, also postgresql://`,
  read(value) {
    const [, before = '', hosts = '', after = ''] = PARTS.exec(value) ?? [];
    if (hosts.includes(',') && hosts.split(',').includes(''))
      throw new ValueError(`must not have an empty host, ${FORM}`);
    for (const host of hosts.split(',')) {
      const { searchParams } = urlOf(`${before}${host}${after}`);
      for (const [option, [values, instead]] of Object.entries(OPTIONS)) {
        const given = searchParams.get(option);
        if (given !== null && !values.test(given)) throw new ValueError(`${option} ${instead}`);
      }
    }
    return value;
  },
};

function urlOf(text: string): URL {
  const url = /^postgres/.test(text) ? URL.parse(text) : null;
  if (url === null) throw new ValueError(`must be a URL, ${FORM}`);
  return url;
}
