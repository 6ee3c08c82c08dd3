/**
 * What a list says of one package.
 * @typedef {{ license: { id: string } | { name: string } } | { expression: string }} Licence
 * @typedef {{ type: string, 'bom-ref': string, name: string, version: string, purl: string, licenses: Licence[],
 *   properties?: { name: string, value: string }[] }} Component
 * @typedef {{ component: Component, needs: string[] }} Found `needs` are references to others.
 */

/** For what nobody has said in a form that programs read: the texts are in the image. */
export const NO_ASSERTION = [{ license: { name: 'NOASSERTION' } }];

/** An SPDX identifier or expression, as packages of npm have it. @param {string | undefined} licence @returns {Licence[]} */
export function npmLicences(licence) {
  if (!licence) return NO_ASSERTION;
  if (/^[A-Za-z0-9.+-]+$/.test(licence)) return [{ license: { id: licence } }];
  return /^SEE LICEN[CS]E IN|^UNLICENSED/.test(licence)
    ? [{ license: { name: licence } }]
    : [{ expression: licence }];
}

/** @param {string} name @param {string} version */
export function npmPurl(name, version) {
  return `pkg:npm/${name.split('/').map(encodeURIComponent).join('/')}@${encodeURIComponent(version)}`;
}
