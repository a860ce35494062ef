import { readFile } from 'node:fs/promises';
import { usageError } from './cli-error.ts';
import type { CliIo } from './cli-io.ts';

/** A file that was named on the command line; `-` is standard input. Text in UTF-8, with or without a mark in front. */
export async function readTextFile(io: CliIo, file: string): Promise<string> {
  if (file === '-') return (await io.readStdin()).replace(/^\ufeff/, '');
  const bytes = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    throw usageError(`Can't read ${file}: ${reasons[error.code ?? ''] ?? error.message}`);
  });
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw usageError(`Can't read ${file}: it isn't UTF-8 text. Save it as UTF-8.`);
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'file not found.',
  EISDIR: "it's a directory. Name each file, for example -f one.yaml -f two.yaml.",
  EACCES: "you don't have permission.",
};
