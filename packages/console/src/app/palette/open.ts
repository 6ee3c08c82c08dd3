/** Opens the palette from anywhere. */
import { createContext, use } from 'react';

export const OpenPalette = createContext<() => void>(() => undefined);

export function useOpenPalette(): () => void {
  return use(OpenPalette);
}
