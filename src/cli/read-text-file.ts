import { type FileHandle, open } from 'node:fs/promises';
import { ownValue } from '../domain/json/own-value.ts';
import { usageError } from './cli-error.ts';
import type { CliIo } from './cli-io.ts';
import { maxInputBytes, readLimited } from './read-limited.ts';

/**
 * Reads a file from the command line. `-` is standard input. The text is UTF-8, with or without a byte order
 * mark.
 */
export async function readTextFile(io: CliIo, file: string): Promise<string> {
  if (file === '-') return (await io.readStdin()).replace(/^\ufeff/, '');
  const bytes = await readBytes(file);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw usageError(`Can't read ${file}: it isn't UTF-8 text. Save it as UTF-8.`);
  }
}

async function readBytes(file: string): Promise<Buffer> {
  const fail = (error: NodeJS.ErrnoException): never => {
    throw usageError(`Can't read ${file}: ${readProblem(error)}`);
  };
  const handle: FileHandle = await open(file).catch(fail);
  try {
    const stat = await handle.stat();
    if (stat.isDirectory()) throw usageError(`Can't read ${file}: ${reasons['EISDIR']}`);
    // Devices such as /dev/zero never end, so only files and pipes are accepted.
    if (!stat.isFile() && !stat.isFIFO()) throw usageError(`Can't read ${file}: it isn't a file or a pipe.`);
    if (stat.size > maxInputBytes)
      throw usageError(`Can't read ${file}: it has ${stat.size} bytes (limit ${maxInputBytes}).`);
    return await readLimited(handle.createReadStream({ autoClose: false }), file);
  } finally {
    await handle.close();
  }
}

/** Returns the reason why a file can't be read, as the end of a sentence. */
export function readProblem({ code, message }: NodeJS.ErrnoException): string {
  return ownValue(reasons, code ?? '') ?? message;
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'file not found.',
  EISDIR: "it's a directory. Specify a file.",
  EACCES: "you don't have permission.",
};
