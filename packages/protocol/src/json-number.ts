declare global {
  interface JSON {
    /** In Node since 22; TypeScript's library doesn't know it yet. */
    rawJSON(text: string): object;
  }
}

/** JSON.stringify prints it as a plain number with all its digits. Nothing else can be done with it. */
export type JsonNumber = object;

export function jsonNumber(value: bigint): JsonNumber {
  return JSON.rawJSON(value.toString());
}
