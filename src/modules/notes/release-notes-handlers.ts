import type { Database } from '../../platform/database/index.ts';
import { notFound } from '../../platform/errors.ts';
import type { Handlers } from '../../platform/http/index.ts';
import { createHintCache } from './hint-cache.ts';
import { findComparedConfig, findNotesJob } from './notes-job.ts';
import { readReleaseNotes } from './read-release-notes.ts';

export function releaseNotesHandlers({
  db,
}: {
  db: Database;
}): Handlers<'getAlertConfigReleaseNotes' | 'getGatherJobReleaseNotes'> {
  const hints = createHintCache();
  return {
    async getAlertConfigReleaseNotes({ caller, path, query }) {
      const config = await findComparedConfig(db, caller.organizationId, path.id);
      if (!config) throw notFound();
      const body = await readReleaseNotes(db, hints, config, {
        from: query.from ?? config.deployedVersion,
        to:
          query.to ??
          (config.deployedVersion === null && query.from === undefined ? null : config.latestVersion),
        includePrereleases: query.include_prereleases ?? !config.stableOnly,
        limit: query.limit ?? maxListed,
      });
      return { status: 200, body };
    },

    async getGatherJobReleaseNotes({ caller, path, query }) {
      const jobs = await findNotesJob(db, caller.organizationId, path.id);
      if (!jobs) throw notFound();
      const { latestStableVersion, latestVersion } = jobs.job;
      const includePrereleases = query.include_prereleases ?? false;
      const latest = includePrereleases ? latestVersion : (latestStableVersion ?? latestVersion);
      const body = await readReleaseNotes(db, hints, jobs, {
        from: query.from ?? null,
        to: query.to ?? latest,
        includePrereleases,
        limit: query.limit ?? maxListed,
      });
      return { status: 200, body };
    },
  };
}

const maxListed = 100;
