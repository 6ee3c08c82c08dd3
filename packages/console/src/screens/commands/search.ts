/** What the builder's address says: the object and the command. */
export interface CommandsSearch {
  readonly bucket?: string | undefined;
  readonly key?: string | undefined;
  /** A pipe, as it is written. */
  readonly command?: string | undefined;
}
