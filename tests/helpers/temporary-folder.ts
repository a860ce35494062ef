import { chmodSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** An empty folder that also another user may pass through: as root, PostgreSQL runs as somebody else. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'pacekeeper-'));
  chmodSync(folder, 0o711);
  return folder;
}
