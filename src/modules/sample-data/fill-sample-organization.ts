import type { Schemas } from '../../generated/agent-api.ts';
import { bodyDefaults } from '../../generated/body-defaults.ts';
import type { Tx } from '../../platform/database/index.ts';
import { checkNewScrapeJob, recordVersionsAcrossOrganizations, scrapeJobEdits } from '../deployed/index.ts';
import { systemContext } from '../discovery/index.ts';
import { alertConfigEdits, checkNewRule, ruleEdits } from '../monitoring/index.ts';
import { type SettingKey, writeOverrides } from '../settings/index.ts';
import {
  checkNewGatherJob,
  type FindVersions,
  gatherJobEdits,
  recordReleasesOfJobs,
} from '../upstream/index.ts';
import { type SampleSoftware, sampleEnvironments, sampleSoftware } from './sample-software.ts';

interface FillDeps {
  findVersions: FindVersions;
}

const dayMs = 86_400_000;

/** Creates the sample data in an empty organization. The alerts open when the configurations are evaluated. */
export async function fillSampleOrganization(
  tx: Tx,
  deps: FillDeps,
  organizationId: number,
  now: Date,
): Promise<void> {
  const context = systemContext(organizationId);
  const settings = {
    'environments.order': sampleEnvironments,
    // Excludes the sample data even if the operator enabled metrics of all organizations.
    'metrics.alert_configs': false,
  } satisfies Partial<Record<SettingKey, unknown>>;
  for (const [key, value] of Object.entries(settings) as [SettingKey, unknown][])
    await writeOverrides(
      tx,
      { ...context, organizationId, actor: context.caller.actor, loginId: null },
      [key],
      [{ key, value, field: 'value' }],
    );
  const gatherJobs = await gatherJobEdits.create(
    tx,
    context,
    sampleSoftware.map(({ name }) =>
      checkNewGatherJob({
        ...bodyDefaults.createGatherJob,
        name,
        source_type: 'gitlab_releases',
        artifact_name: `git.example.com/sample/${name}`,
        // The source doesn't exist, so it's never read.
        is_active: false,
      }),
    ),
  );
  await recordReleasesOfJobs(
    tx,
    deps,
    organizationId,
    gatherJobs.map(({ id }, index) => ({
      jobId: id,
      isFull: true,
      releases: listReleases(sampleSoftware[index]!, now),
      outcome: { isCompleteList: true, validators: null },
    })),
  );
  const places = sampleSoftware.flatMap((software, index) =>
    software.places.flatMap(([service, owner, versions]) =>
      sampleEnvironments.map((environment, position) => ({
        name: `${service}/${software.name} in ${environment}`,
        labels: { service, owner, environment },
        version: versions[position]!,
        gatherJobId: gatherJobs[index]!.id,
      })),
    ),
  );
  const scrapeJobs = await scrapeJobEdits.create(
    tx,
    context,
    places.map(({ name, labels }) =>
      checkNewScrapeJob({ ...bodyDefaults.createScrapeJob, name, labels, parser_type: 'manual' }),
    ),
  );
  await recordVersionsAcrossOrganizations(
    tx,
    'manual',
    scrapeJobs.map(({ id }, index) => ({
      organizationId,
      scrapeJobId: id,
      rawVersion: places[index]!.version,
      commitSha: null,
    })),
  );
  const [rule] = await ruleEdits.create(tx, context, [
    checkNewRule({
      ...bodyDefaults.createRule,
      name: 'Ninety days',
      rule_type: 'days_behind',
      thresholds: { moderate: 30, high: 60, critical: 90 },
    }),
  ]);
  await alertConfigEdits.create(
    tx,
    context,
    scrapeJobs.map(({ id }, index) => ({
      ...bodyDefaults.createAlertConfig,
      name: places[index]!.name,
      scrape_job_id: id,
      gather_job_id: places[index]!.gatherJobId,
      rule_id: rule!.id,
    })),
  );
}

function listReleases({ releases }: SampleSoftware, now: Date): Schemas['GatherResultItem'][] {
  return releases.map(([version, ageDays, notes]) => ({
    tag: version,
    app_version: null,
    released_at: new Date(now.getTime() - ageDays * dayMs).toISOString(),
    is_prerelease: false,
    is_yanked: false,
    url: null,
    notes: notes ?? null,
  }));
}
