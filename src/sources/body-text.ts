import { TextDecoder } from 'node:util';

/**
 * Decodes the text of a body while it arrives. Bodies are UTF-8, except those that begin with the byte order mark of
 * UTF-16, which some tools on Windows write. A byte order mark isn't part of the text.
 */
export function createTextDecoder(): { decode(piece: Uint8Array): string; end(): string } {
  let decoder: TextDecoder | null = null;
  /** A first piece that is too short to contain a byte order mark. */
  let start: Uint8Array = new Uint8Array(0);
  const begin = (bytes: Uint8Array): TextDecoder => new TextDecoder(encodingOf(bytes));
  return {
    decode(piece) {
      if (decoder !== null) return decoder.decode(piece, { stream: true });
      const bytes = start.length === 0 ? piece : Buffer.concat([start, piece]);
      if (bytes.length < 2) {
        start = bytes;
        return '';
      }
      decoder = begin(bytes);
      return decoder.decode(bytes, { stream: true });
    },
    end() {
      return decoder === null ? begin(start).decode(start) : decoder.decode();
    },
  };
}

/** Reads the whole text of a body. */
export async function readBodyText(body: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = createTextDecoder();
  let text = '';
  for await (const piece of body) text += decoder.decode(piece);
  return text + decoder.end();
}

function encodingOf([first, second]: Uint8Array): string {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
}
