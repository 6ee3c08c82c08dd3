/** Values that the image commands share. */
import { MIB } from '../../limits/bytes.ts';
import { oneOf, type ValueSyntax, withAliases } from '../value-forms.ts';

export type ImageFormat = 'jpg' | 'png' | 'webp' | 'gif' | 'avif' | 'tiff';

export const imageFormat = withAliases(oneOf<ImageFormat>('jpg', 'png', 'webp', 'gif', 'avif', 'tiff'), {
  jpeg: 'jpg',
});

/** `exact`: as requested, even if the source was worse. */
export interface Quality {
  readonly value: number;
  readonly exact: boolean;
}

export const quality: ValueSyntax<Quality> = {
  form: 'a whole number from 1 to 100, then optionally !',
  read(text) {
    const [, digits, exact] = /^([1-9][0-9]?|100)(!?)$/.exec(text) ?? [];
    return digits === undefined ? undefined : { value: Number(digits), exact: exact === '!' };
  },
  print: ({ value, exact }) => `${value}${exact ? '!' : ''}`,
};

export interface SizeLimit {
  /** Undefined: the size of the source. */
  readonly bytes: number | undefined;
  /** Written `!`: a result that is not smaller than the source is not worthwhile, and the source is returned. */
  readonly exact: boolean;
}

export const sizeLimit: ValueSyntax<SizeLimit> = {
  form: 'bytes such as 15360, 15k or 1m, or $(fsize) for the size of the source, then optionally !',
  read(text) {
    const [, digits, unit, source, exact] =
      /^(?:([1-9][0-9]{0,9})([kKmM]?)|(\$\(fsize\)))(!?)$/.exec(text) ?? [];
    if (source !== undefined) return { bytes: undefined, exact: exact === '!' };
    if (digits === undefined) return undefined;
    const factor = unit === '' ? 1 : unit?.toLowerCase() === 'k' ? 1024 : MIB;
    const bytes = Number(digits) * factor;
    return bytes >= 512 && bytes <= 2 ** 30 ? { bytes, exact: exact === '!' } : undefined;
  },
  print: ({ bytes, exact }) => `${bytes ?? '$(fsize)'}${exact ? '!' : ''}`,
};

export interface Blur {
  readonly radius: number;
  readonly sigma: number;
}

export const blur: ValueSyntax<Blur> = {
  form: '<radius 1 to 50>x<sigma 1 to 150>',
  read(text) {
    const [, radius, sigma] = /^([1-9][0-9]?)x([1-9][0-9]{0,2})$/.exec(text) ?? [];
    if (radius === undefined || sigma === undefined || Number(radius) > 50 || Number(sigma) > 150)
      return undefined;
    return { radius: Number(radius), sigma: Number(sigma) };
  },
  print: ({ radius, sigma }) => `${radius}x${sigma}`,
};
