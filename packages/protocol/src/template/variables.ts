/**
 * The magic variables: what each one is and where it is allowed. A variable used elsewhere, or an unknown one, is not a
 * fault: it has no value, as in Qiniu.
 */
export const templateContexts = ['saveKey', 'body', 'persistentOps', 'callbackUrl'] as const;
/** `body` is returnBody and callbackBody. */
export type TemplateContext = (typeof templateContexts)[number];

interface TemplateVariable {
  readonly places: readonly TemplateContext[];
  /** Has sub-fields, separated by dots: `$(imageInfo.width)`. */
  readonly fields?: true;
  readonly meaning: string;
}

const uploads: readonly TemplateContext[] = ['saveKey', 'body', 'persistentOps'];
const bodies: readonly TemplateContext[] = ['body'];
const stored: readonly TemplateContext[] = ['body', 'persistentOps'];
const names: readonly TemplateContext[] = ['saveKey'];

export const templateVariables = {
  bucket: { places: uploads, meaning: 'bucket of the object' },
  key: { places: uploads, meaning: 'key of the object; in saveKey the key that the client sent' },
  etag: { places: uploads, meaning: 'hash of the content' },
  fname: { places: uploads, meaning: 'file name that the client sent' },
  fsize: { places: uploads, meaning: 'size in bytes, a number' },
  mimeType: { places: uploads, meaning: 'MIME type of the object' },
  endUser: { places: uploads, meaning: 'endUser of the upload policy' },
  ext: {
    places: uploads,
    meaning: 'extension with its dot, from the file name or else the MIME type',
  },
  suffix: { places: uploads, meaning: 'the same as ext' },
  fprefix: { places: uploads, meaning: 'file name without its extension' },
  keybase: { places: uploads, meaning: 'key without its extension' },
  persistentId: { places: bodies, meaning: 'id of the persistent task that the upload started' },
  uuid: { places: stored, meaning: 'a new random UUID' },
  exif: { places: bodies, fields: true, meaning: 'Exif data of an image: `$(exif.<tag>.val)`' },
  imageInfo: { places: bodies, fields: true, meaning: 'format, width, height and colorModel of an image' },
  imageAve: { places: bodies, fields: true, meaning: 'average colour of an image: `$(imageAve.RGB)`' },
  avinfo: { places: bodies, fields: true, meaning: 'audio, video and format of a media file' },
  year: { places: names, meaning: 'year of the upload, four digits' },
  mon: { places: names, meaning: 'month of the upload, two digits' },
  day: { places: names, meaning: 'day of the upload, two digits' },
  hour: { places: names, meaning: 'hour of the upload, two digits' },
  min: { places: names, meaning: 'minute of the upload, two digits' },
  sec: { places: names, meaning: 'second of the upload, two digits' },
  bodySha1: { places: ['callbackUrl'], meaning: 'SHA-1 of the callback body, in hexadecimal' },
} as const satisfies Record<string, TemplateVariable>;

const customVariable: TemplateVariable = {
  places: uploads,
  meaning: 'custom variable `$(x:<name>)`: the value of the form field `x:<name>`',
};

const byName: ReadonlyMap<string, TemplateVariable> = new Map(Object.entries(templateVariables));

export function isAvailable(path: readonly string[], place: TemplateContext): boolean {
  const [root = ''] = path;
  const variable = root.startsWith('x:') ? customVariable : byName.get(root);
  if (variable === undefined || !variable.places.includes(place)) return false;
  return path.length === 1 || variable.fields === true;
}
