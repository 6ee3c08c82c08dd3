/** Content-Disposition for downloads: RFC 6266, with the RFC 5987 form for names beyond ASCII. */
const MAX_NAME_LENGTH = 255;

/** A browser saves the file under the last part of a path at most, so separators are made harmless. */
export function formatAttachment(fileName = ''): string {
  const name = fileName
    .slice(0, MAX_NAME_LENGTH)
    .toWellFormed()
    .replace(/[\p{Cc}/\\]/gu, '_');
  if (name === '') return 'attachment';
  // `%` goes too: some browsers decode it in the plain form.
  const plain = name.replace(/[^\x20-\x7e]|["%]/gu, '_');
  const header = `attachment; filename="${plain}"`;
  return plain === name ? header : `${header}; filename*=UTF-8''${encodeExtended(name)}`;
}

function encodeExtended(name: string): string {
  return encodeURIComponent(name).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
