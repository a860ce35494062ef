import { breakingChanges } from '../../domain/notes/breaking-changes.ts';
import type { Database } from '../../platform/database/index.ts';
import { createHintCache } from './hint-cache.ts';
import { type JobWithProject, listJobsOfAlerts } from './notes-job.ts';
import { maxReadReleases } from './range-queries.ts';
import { readReleaseNotes } from './read-release-notes.ts';

/** An alert and the versions that it compares. */
export interface AlertVersions {
  alertId: number;
  from: string;
  to: string;
}

/** Facts about the release notes of an alert for notification messages. */
export interface AlertNotes {
  releaseCount: number;
  breakingChanges: string | null;
}

const hints = createHintCache();

/**
 * Cached notes by jobs, revisions, and versions. Many alerts have the same key, and each alert is sent to
 * several channels.
 */
const cachedNotes = new Map<string, { notes: AlertNotes; untilMs: number }>();
const maxKept = 1_000;
/** Cached notes expire, because editing notes upstream doesn't change the revision of the releases. */
const keptMs = 60_000;

/**
 * Reads the notes of an organization's alerts, once per comparison. Alerts whose job was deleted have no
 * notes.
 */
export async function readNotesOfAlerts(
  db: Database,
  organizationId: number,
  alerts: readonly AlertVersions[],
): Promise<Map<number, AlertNotes>> {
  const notes = new Map<number, AlertNotes>();
  if (alerts.length === 0) return notes;
  const ids = [...new Set(alerts.map(({ alertId }) => alertId))];
  const jobs = await listJobsOfAlerts(db, organizationId, ids);
  for (const alert of alerts) {
    const found = jobs.get(alert.alertId);
    if (found === undefined) continue;
    const key = keyOf(found, alert);
    const known = cachedNotes.get(key);
    const entry =
      known !== undefined && performance.now() < known.untilMs
        ? known
        : { notes: await readNotes(db, found, alert), untilMs: performance.now() + keptMs };
    cachedNotes.delete(key);
    cachedNotes.set(key, entry);
    if (cachedNotes.size > maxKept) cachedNotes.delete(cachedNotes.keys().next().value ?? '');
    notes.set(alert.alertId, entry.notes);
  }
  return notes;
}

type ComparedJobs = JobWithProject & { stableOnly: boolean };

function keyOf({ job, project, stableOnly }: ComparedJobs, { from, to }: AlertVersions): string {
  return JSON.stringify([job.id, job.revision, project?.id, project?.revision, stableOnly, from, to]);
}

async function readNotes(db: Database, jobs: ComparedJobs, { from, to }: AlertVersions): Promise<AlertNotes> {
  const request = { from, to, includePrereleases: !jobs.stableOnly, limit: maxReadReleases };
  const { totals, releases } = await readReleaseNotes(db, hints, jobs, request);
  return { releaseCount: totals.releases, breakingChanges: breakingChanges(releases, totals) };
}
