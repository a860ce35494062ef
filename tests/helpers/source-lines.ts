import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Returns the matching files in a directory, excluding tests and fixtures. */
export function filesOf(directory: string, pattern: RegExp): string[] {
  return readdirSync(`${root}/${directory}`, { recursive: true, encoding: 'utf8' })
    .filter((file) => pattern.test(file) && !file.includes('.test.') && !file.includes('-fixture'))
    .map((file) => `${directory}/${file}`);
}

/** Returns the lines of code that match, excluding comments. */
export function codeLinesMatching(files: readonly string[], pattern: RegExp): string[] {
  return files.flatMap((file) =>
    readFileSync(`${root}/${file}`, 'utf8')
      .split('\n')
      .map((line, index) => ({ line: line.trim(), place: `${file}:${index + 1}` }))
      .filter(({ line }) => pattern.test(line) && !/^(\*|\/\/|\/\*|--)/.test(line))
      .map(({ line, place }) => `${place}: ${line}`),
  );
}
