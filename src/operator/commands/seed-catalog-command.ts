import { catalog as builtIn } from '../../domain/catalog/catalog.ts';
import type { CatalogEntry } from '../../domain/catalog/catalog-entry.ts';
import { systemOrganizationId } from '../../modules/accounts/index.ts';
import { seedGatherJobs } from '../../modules/upstream/index.ts';
import { gatherJobSeeds } from '../catalog/catalog-seeds.ts';
import { type OperatorCommand, UsageError } from './operator-command.ts';

/** @param catalog Entries for which jobs are created. Tests replace the built-in catalog. */
export function seedCatalogCommand(catalog: readonly CatalogEntry[] = builtIn): OperatorCommand {
  return {
    name: 'admin seed-catalog',
    synopsis: '[--dry-run] [--github-credential NAME]',
    summary: 'Create global gather jobs for popular software',
    help: `
  --dry-run                 Show what would be created without creating it
  --github-credential NAME  Agent credential for new GitHub jobs; without one, GitHub allows 60 requests per hour, so the
                            first runs take several hours

All organizations can view and use the jobs. Existing jobs aren't changed, even if they were modified; deleted jobs are
created again. Jobs run once a day at different times. Their first runs are one minute apart for each host.`,
    positionals: [],
    options: { 'dry-run': { type: 'boolean' }, 'github-credential': { type: 'string' } },
    async run({ option, isSet, open, print }) {
      const githubCredential = option('github-credential');
      if (githubCredential?.trim() === '')
        throw new UsageError('--github-credential must be a credential name.');
      const isDryRun = isSet('dry-run');
      const { db } = await open();
      const seeds = gatherJobSeeds(catalog, { githubCredential });
      const results = await seedGatherJobs(db, systemOrganizationId, seeds, { isDryRun });
      const sentences = {
        created: isDryRun ? 'would be created' : 'created',
        present: 'exists',
        changed: 'exists, modified',
      };
      for (const { seed, outcome } of results) {
        const { name, source_type, artifact_name } = seed.values;
        print(`${name}: ${sentences[outcome]} (${source_type} ${artifact_name})`);
      }
      const created = results.filter(({ outcome }) => outcome === 'created').length;
      const there = results.length - created;
      print(`${created} ${isDryRun ? 'would be created' : 'created'}, ${there} already exist.`);
    },
  };
}
