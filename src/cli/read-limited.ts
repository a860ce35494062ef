import { usageError } from './cli-error.ts';

/** Maximum number of bytes read from a file or standard input. Same limit as the API. */
export const maxInputBytes = 16 * 1024 * 1024;

/** Reads a stream to its end. Throws an error if it exceeds the limit, because some streams never end. */
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
