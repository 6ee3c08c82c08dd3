/** The text of a GET request. */
const UNSAFE = /[^\t\x20-\x7e]/;

/** `headers`: name, value, name, value…; the names are ours, the values may hold what an operator configured. */
export function requestText(host: string, path: string, headers: readonly string[]): string {
  let text = `GET ${path} HTTP/1.1\r\nhost: ${host}\r\n`;
  for (let at = 0; at < headers.length; at += 2) {
    const value = headers[at + 1] ?? '';
    // A line break would let the rest of the value pass for headers or for a request of its own.
    if (UNSAFE.test(value)) throw new TypeError(`the value of the header ${headers[at]} is not plain text`);
    text += `${headers[at]}: ${value}\r\n`;
  }
  return `${text}\r\n`;
}
