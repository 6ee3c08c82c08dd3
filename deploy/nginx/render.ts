/** Fills the placeholders of millpond.conf, and refuses to leave one unfilled or to fill one that does not exist. */
export interface Placeholders {
  readonly LISTEN: string;
  /** `host:port`. */
  readonly GATEWAY: string;
  readonly ENGINE_SCHEME: string;
  /** `host:port`, as in MILLPOND_S3_ENDPOINT. */
  readonly ENGINE: string;
}

/** Characters with which a value could end a directive or open a block: none belongs in an address. */
const UNSAFE = /[\s;{}"'\\$#]/;

export function renderConfiguration(template: string, values: Placeholders): string {
  let text = template.replace(/^#.*\n/gm, '');
  for (const [name, value] of Object.entries(values)) {
    if (name !== 'LISTEN' && UNSAFE.test(value)) throw new Error(`${name} can't be "${value}"`);
    if (!text.includes(`__${name}__`)) throw new Error(`millpond.conf has no __${name}__`);
    text = text.replaceAll(`__${name}__`, value);
  }
  const left = /__[A-Z_]+__/.exec(text);
  if (left !== null) throw new Error(`millpond.conf has ${left[0]}, which has no value`);
  return text;
}
