/** `Content-Encoding` as it is kept: `aws-chunked` describes the request, not the object. */
export function storedContentEncoding(header: string | undefined): string | undefined {
  const codings = (header ?? '')
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding.toLowerCase() !== 'aws-chunked');
  return codings.length === 0 ? undefined : codings.join(', ');
}
