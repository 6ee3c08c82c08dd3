/**
 * What `millpond dev` shows to run programs without a sandbox. No setting stands for it: code has to make one, and of all packages
 * only the command's `dev` may import this module (scripts/imports).
 */
export class UnconfinedPermit {
  declare private readonly brand: never;

  private constructor() {}

  static make(): UnconfinedPermit {
    return new UnconfinedPermit();
  }
}
