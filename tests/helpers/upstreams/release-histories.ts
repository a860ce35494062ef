import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { FakeRelease } from './fake-github.ts';

/**
 * Reads the real release histories of tools from a file with one JSON object per line: `{tool, versions:
 * [{version, created_at, prerelease?}]}`. Lines without `tool`, such as a header, are skipped.
 * @returns Releases by tool, newest first, as platforms list them.
 */
export async function readReleaseHistories(file: string): Promise<Map<string, FakeRelease[]>> {
  const histories = new Map<string, FakeRelease[]>();
  for await (const line of createInterface({
    input: createReadStream(file),
    crlfDelay: Number.POSITIVE_INFINITY,
  })) {
    if (line.trim() === '') continue;
    const entry: {
      tool?: string;
      versions?: { version: string; created_at?: string; prerelease?: boolean }[];
    } = JSON.parse(line);
    if (entry.tool === undefined || entry.versions === undefined) continue;
    const releases = entry.versions.map((version) => ({
      tag: version.version,
      publishedAt: version.created_at ?? '2020-01-01T00:00:00Z',
      isPrerelease: version.prerelease === true,
    }));
    histories.set(entry.tool, releases.reverse());
  }
  return histories;
}
