import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { programMain } from './run-program.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** A page of docs/, or with `../` one beside it. */
export function documentationPage(name: string): string {
  return readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8');
}

/** The blocks of a page between fences of this language. */
export function documentationBlocks(text: string, language: string): string[] {
  const fences = new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'gm');
  return [...text.matchAll(fences)].map(([, block]) => block!);
}

/**
 * Runs all `sh` blocks of a page as one script that ends at the first failure; `pacekeeper` is the program. Throws with
 * everything that was printed, and resolves with it.
 */
export async function runDocumentation(
  name: string,
  folder: string,
  env: Readonly<Record<string, string>>,
): Promise<string> {
  const script = [
    'set -euo pipefail',
    `pacekeeper() { ${JSON.stringify(process.execPath)} ${JSON.stringify(programMain)} "$@"; }`,
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
