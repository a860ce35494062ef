import { open } from 'node:fs/promises';

/**
 * Writes a file named on the command line. A file with secrets is readable only by its owner, even if it existed with
 * another mode.
 */
export async function writeOutputFile(
  file: string,
  text: string,
  { hasSecrets }: { hasSecrets: boolean },
): Promise<void> {
  const handle = await open(file, 'w', hasSecrets ? 0o600 : 0o666);
  try {
    // The mode above applies to new files. Devices and pipes keep their mode.
    if (hasSecrets && (await handle.stat()).isFile()) await handle.chmod(0o600);
    await handle.writeFile(text);
  } finally {
    await handle.close();
  }
}
