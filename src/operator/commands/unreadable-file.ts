import { CommandError } from './operator-command.ts';

/** A file that was named on the command line can't be read, and why. */
export function unreadableFile(file: string, error: unknown): CommandError {
  const { code = '', message } =
    error instanceof Error ? (error as NodeJS.ErrnoException) : { message: String(error) };
  return new CommandError(`can't read ${file}: ${reasons[code] ?? message}`);
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'file not found. Check the path.',
  ENOTDIR: 'file not found. Check the path.',
  EISDIR: "it's a directory. Name a file.",
  EACCES: 'permission denied. Make it readable for the user that runs this command.',
};
