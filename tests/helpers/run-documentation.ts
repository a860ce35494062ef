import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { programMain } from './run-program.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** Reads a page of docs/, or a page in the parent directory if the name starts with `../`. */
export function documentationPage(name: string): string {
  return readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8');
}

/** Returns the fenced code blocks of a page in the given language. */
export function documentationBlocks(text: string, language: string): string[] {
  const fences = new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'gm');
  return [...text.matchAll(fences)].map(([, block]) => block!);
}

/**
 * Runs all `sh` blocks of a page as one script that stops at the first failure. By default, `pacekeeper` in the script
 * runs the program under test.
 * @returns The printed output.
 * @throws If the script fails, an error that contains the printed output.
 */
export async function runDocumentation(
  name: string,
  folder: string,
  env: Readonly<Record<string, string>>,
  shellFunction = `pacekeeper() { ${JSON.stringify(process.execPath)} ${JSON.stringify(programMain)} "$@"; }`,
): Promise<string> {
  const script = [
    'set -euo pipefail',
    shellFunction,
    ...documentationBlocks(documentationPage(name), 'sh'),
  ].join('\n');
  const child = spawn('bash', ['-c', script], {
    cwd: folder,
    env: { PATH: process.env['PATH'], XDG_CONFIG_HOME: temporaryFolder(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => void (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => void (output += chunk.toString()));
  const code = await new Promise((resolve) => child.once('close', resolve));
  if (code !== 0) throw new Error(`${name} ended with ${String(code)}:\n${output}`);
  return output;
}
