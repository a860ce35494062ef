import { usageError } from './cli-error.ts';

/** Bytes of one file, or of standard input, that are read: as many as the API takes. */
export const maxInputBytes = 16 * 1024 * 1024;

/** Reads a stream to its end, which some never reach. */
export async function readLimited(stream: AsyncIterable<Buffer>, name: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.length;
    if (size > maxInputBytes)
      throw usageError(`Can't read ${name}: it has more than ${maxInputBytes} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
