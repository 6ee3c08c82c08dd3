/** Readers of single setting values. Each returns the value or throws a `ValueError` that says what would be right. */
import { isIP } from 'node:net';

export class ValueError extends Error {}

export interface Reader<T> {
  /** How the value is written, for the reference page: "a duration such as 30s, 5m, 12h or 7d". */
  readonly form: string;
  read(text: string): T;
}

export const text: Reader<string> = { form: 'text', read: (value) => value };

export const flag: Reader<boolean> = {
  form: '`true` or `false`',
  read(value) {
    if (value === 'true') return true;
    if (value === 'false') return false;
    throw new ValueError('must be true or false');
  },
};

export function integer(least: number, most: number): Reader<number> {
  return {
    form: `a whole number from ${least} to ${most}`,
    read(value) {
      const number = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN;
      if (!(number >= least && number <= most)) {
        throw new ValueError(`must be a whole number from ${least} to ${most}`);
      }
      return number;
    },
  };
}

const DURATION_UNITS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** Milliseconds. */
export const duration: Reader<number> = {
  form: 'a duration such as `500ms`, `30s`, `5m`, `12h` or `7d`',
  read(value) {
    const match = /^(\d{1,9})(ms|s|m|h|d)$/.exec(value);
    if (!match) throw new ValueError('must be a duration such as 500ms, 30s, 5m, 12h or 7d');
    return Number(match[1]) * DURATION_UNITS[match[2] as keyof typeof DURATION_UNITS];
  },
};

/** Milliseconds, within a range that the interface allows. */
export function durationBetween(least: string, most: string): Reader<number> {
  const [from, to] = [duration.read(least), duration.read(most)];
  return {
    form: `a duration from \`${least}\` to \`${most}\``,
    read(value) {
      const milliseconds = duration.read(value);
      if (milliseconds < from || milliseconds > to) throw new ValueError(`must be from ${least} to ${most}`);
      return milliseconds;
    },
  };
}

const SIZE_UNITS = { B: 1, KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30, TiB: 2 ** 40 } as const;

/** Bytes. */
export const size: Reader<number> = {
  form: 'a size such as `64KiB`, `8MiB` or `5GiB`',
  read(value) {
    const match = /^(\d{1,9})(B|KiB|MiB|GiB|TiB)$/.exec(value);
    if (!match) throw new ValueError('must be a size such as 64KiB, 8MiB or 5GiB');
    return Number(match[1]) * SIZE_UNITS[match[2] as keyof typeof SIZE_UNITS];
  },
};

/** Bytes, at least what a single use needs. */
export function sizeFrom(least: string): Reader<number> {
  const from = size.read(least);
  return {
    form: `${size.form}, at least \`${least}\``,
    read(value) {
      const bytes = size.read(value);
      if (bytes < from) throw new ValueError(`must be at least ${least}`);
      return bytes;
    },
  };
}

/** Bytes, at most what is reasonable; none may be written without a unit. */
export function sizeUpTo(most: string): Reader<number> {
  const to = size.read(most);
  return {
    form: `${size.form}, at most \`${most}\``,
    read(value) {
      const bytes = value === '0' ? 0 : size.read(value);
      if (bytes > to) throw new ValueError(`must be at most ${most}`);
      return bytes;
    },
  };
}

export const rate: Reader<{ readonly burst: number; readonly perMinute: number }> = {
  form: 'a burst and a rate per minute, such as `600+60/m`',
  read(value) {
    const match = /^([1-9]\d{0,8})\+([1-9]\d{0,8})\/m$/.exec(value);
    if (!match) throw new ValueError('must be a burst and a rate per minute, such as 600+60/m');
    return { burst: Number(match[1]), perMinute: Number(match[2]) };
  },
};

/** Bytes and milliseconds. */
export const byteRate: Reader<{ readonly bytes: number; readonly ms: number }> = {
  form: 'a size per duration, such as `30KiB/1m`',
  read(value) {
    const [bytes, time, ...rest] = value.split('/');
    if (bytes === undefined || time === undefined || rest.length > 0)
      throw new ValueError('must be a size per duration, such as 30KiB/1m');
    return { bytes: size.read(bytes), ms: duration.read(time) };
  },
};

export function choice<const T extends string>(...options: T[]): Reader<T> {
  const listed = options.map((option) => `\`${option}\``).join(', ');
  return {
    form: `one of ${listed}`,
    read(value) {
      const found = options.find((option) => option === value);
      if (found === undefined) throw new ValueError(`must be one of ${options.join(', ')}`);
      return found;
    },
  };
}

/** `<value>=<what it stands for>`; the value may itself have equals signs. */
export function mapped<T>(meaning: Reader<T>): Reader<readonly [value: string, meaning: T]> {
  return {
    form: '`<value>=<meaning>`',
    read(given) {
      const at = given.lastIndexOf('=');
      const [value, meant] = [given.slice(0, Math.max(at, 0)).trim(), given.slice(at + 1).trim()];
      if (value === '' || meant === '') throw new ValueError('must be pairs such as staff=account');
      return [value, meaning.read(meant)];
    },
  };
}

export function list<T>(item: Reader<T>): Reader<readonly T[]> {
  return {
    form: `a comma-separated list, each ${item.form}`,
    read(value) {
      const parts = value
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== '');
      return parts.map((part) => item.read(part));
    },
  };
}

export function url(...protocols: string[]): Reader<string> {
  const named = protocols.map((protocol) => `${protocol}//…`).join(' or ');
  return {
    form: `a URL, ${named}`,
    read(value) {
      const parsed = URL.parse(value);
      if (parsed === null || !protocols.includes(parsed.protocol)) {
        throw new ValueError(`must be a URL, ${named}`);
      }
      return value;
    },
  };
}

/** A server's address, without a path. */
export function origin(kind: 'bare' | 'with credentials'): Reader<string> {
  const form = `http(s)://${kind === 'bare' ? '' : '[user:password@]'}host[:port]`;
  return {
    form: `an address, ${form}`,
    read(value) {
      const { protocol = '', pathname, search, hash, username } = URL.parse(value) ?? {};
      const isPlace = pathname !== '/' || `${search}${hash}` !== '';
      if (!/^https?:$/.test(protocol) || isPlace || (kind === 'bare' && username !== ''))
        throw new ValueError(`must be an address, ${form}`);
      return value;
    },
  };
}

export const network: Reader<string> = {
  form: 'an address or a CIDR range such as `10.0.0.0/8`',
  read(value) {
    const [address = '', bits, ...rest] = value.split('/');
    const most = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
    const given = bits === undefined ? most : /^\d{1,3}$/.test(bits) ? Number(bits) : Number.NaN;
    if (most < 0 || rest.length > 0 || !(given <= most)) {
      throw new ValueError('must be addresses or CIDR ranges such as 10.0.0.0/8');
    }
    return value;
  },
};

/** Text that matches a form; `described` says which. */
export function matchingText(form: RegExp, described: string): Reader<string> {
  return {
    form: described,
    read(value) {
      if (!form.test(value)) throw new ValueError(`must be ${described}`);
      return value;
    },
  };
}

export const address: Reader<string> = {
  form: 'an IP address',
  read(value) {
    if (isIP(value) === 0) throw new ValueError('must be an IP address');
    return value;
  },
};
