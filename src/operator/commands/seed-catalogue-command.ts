import { systemOrganizationId } from '../../modules/accounts/index.ts';
import { seedGatherJobs } from '../../modules/upstream/index.ts';
import { createWakeUps } from '../../platform/database/index.ts';
import { catalogue as builtIn, gatherJobSeeds } from '../catalog/catalogue.ts';
import type { CatalogueEntry } from '../catalog/catalogue-entry.ts';
import { type OperatorCommand, UsageError } from './operator-command.ts';

/** @param catalogue what is made; the built-in one unless a test has its own. */
export function seedCatalogueCommand(catalogue: readonly CatalogueEntry[] = builtIn): OperatorCommand {
  return {
    name: 'admin seed-catalogue',
    synopsis: '[--dry-run] [--github-credential NAME]',
    summary: 'makes global gather jobs for what many run',
    help: `
  --dry-run                 says what would be made, and makes nothing
  --github-credential NAME  new jobs at GitHub use this credential of the agent: without one GitHub answers 60 requests
                            an hour, and the first runs take some hours

Every organization sees and uses the jobs. A job that is there stays as it is, whatever was changed of it; one that was
deleted is made again. The jobs run once a day, at different times; their first runs come a minute apart at each host.`,
    positionals: [],
    options: { 'dry-run': { type: 'boolean' }, 'github-credential': { type: 'string' } },
    async run({ config, log, option, isSet, open, print }) {
      const githubCredential = option('github-credential');
      if (githubCredential?.trim() === '')
        throw new UsageError('--github-credential is the name of a credential.');
      const isDryRun = isSet('dry-run');
      const { db, connection } = await open();
      const wakeUps = createWakeUps({ connection: config.databaseListenUrl ?? connection, log });
      try {
        const seeds = gatherJobSeeds(catalogue, { githubCredential });
        const results = await seedGatherJobs(db, wakeUps, systemOrganizationId, seeds, { isDryRun });
        const sentences = {
          created: isDryRun ? 'would be created' : 'created',
          present: 'already there',
          changed: 'already there, changed by somebody',
        };
        for (const { seed, outcome } of results) {
          const { name, source_type, artifact_name } = seed.values;
          print(`${name}: ${sentences[outcome]} (${source_type} ${artifact_name})`);
        }
        const created = results.filter(({ outcome }) => outcome === 'created').length;
        const there = results.length - created;
        print(`${created} ${isDryRun ? 'would be created' : 'created'}, ${there} already there.`);
      } finally {
        await wakeUps.close();
      }
    },
  };
}
