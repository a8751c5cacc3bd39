/* A whole match in a link: deflated, base64url, behind the # so that no server
 * ever sees it. */

const toBase64 = (bytes: Uint8Array): string =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');

const fromBase64 = (text: string): Uint8Array =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0));

async function through(bytes: Uint8Array, stream: CompressionStream | DecompressionStream): Promise<Uint8Array> {
  const piped = new Blob([bytes as BlobPart]).stream().pipeThrough(stream as ReadableWritablePair<Uint8Array, Uint8Array>);
  return new Uint8Array(await new Response(piped as unknown as ReadableStream).arrayBuffer());
}

export async function pack(text: string): Promise<string> {
  return toBase64(await through(new TextEncoder().encode(text), new CompressionStream('deflate-raw')));
}

/** null if it is no such link. */
export async function unpack(packed: string): Promise<string | null> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await through(fromBase64(packed), new DecompressionStream('deflate-raw')));
  } catch {
    return null;
  }
}

export const linkTo = async (text: string): Promise<string> => `${location.origin}${location.pathname}#/import/${await pack(text)}`;
