import { open } from 'node:fs/promises';

/**
 * Writes a file that was named on the command line. One with secrets is readable only by its owner, also when it was there
 * before with another mode.
 */
export async function writeOutputFile(
  file: string,
  text: string,
  { hasSecrets }: { hasSecrets: boolean },
): Promise<void> {
  const handle = await open(file, 'w', hasSecrets ? 0o600 : 0o666);
  try {
    // The mode above is that of a new file. A device or a pipe keeps its own.
    if (hasSecrets && (await handle.stat()).isFile()) await handle.chmod(0o600);
    await handle.writeFile(text);
  } finally {
    await handle.close();
  }
}
