import { ownValue } from '../../domain/json/own-value.ts';
import { CommandError } from './operator-command.ts';

/** Creates the error for a file from the command line that can't be read. */
export function unreadableFile(file: string, error: unknown): CommandError {
  const { code = '', message } =
    error instanceof Error ? (error as NodeJS.ErrnoException) : { message: String(error) };
  return new CommandError(`can't read ${file}: ${ownValue(reasons, code) ?? message}`);
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'file not found. Check the path.',
  ENOTDIR: 'file not found. Check the path.',
  EISDIR: "it's a directory. Specify a file.",
  EACCES: 'permission denied. Make it readable by the user that runs this command.',
};
